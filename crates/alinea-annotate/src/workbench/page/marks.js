// How the kinds of cells look and are called. Each has a color and a shape of its own.

import { element, shape } from './dom.js';
import { isLink } from './state.js';

const NAMES = {
  sure: 'sure', possible: 'possible', suggested: 'suggested', weak: 'weak suggestion', 'no-link': 'no link',
};

// What a cell is, in words.
export function nameOf(cell) {
  if (!cell) return 'no link';
  if (cell.voters) return nameOfVotes(cell);
  const confidence = cell.confidence === undefined ? '' : `, confidence ${cell.confidence.toFixed(2)}`;
  if (cell.kind === 'no-link') return `suggestion rejected${confidence}`;
  return NAMES[cell.kind] + (cell.accepted ? ', accepted with the rest' : '') + confidence;
}

// The same where annotators are compared: confidences are shares of them.
function nameOfVotes({ kind, confidence, disputed, voters }) {
  const votes = confidence === undefined ? '' : `, linked by ${Math.round(confidence * voters)} of ${voters}`;
  const open = disputed ? 'disputed' : 'agreed';
  return (isLink(kind) ? kind : kind === 'no-link' ? 'no link' : open) + votes;
}

const bounded = (value, least) => Math.min(1, Math.max(least, value));

// A cell as a shape around a point: a filled square, a hollow one, a dashed circle, a dot, a small cross.
export function markShape(cell, x, y, size) {
  const attributes = { class: 'mark ' + cell.kind + (cell.disputed ? ' disputed' : '') };
  const { confidence = 1 } = cell;
  switch (cell.kind) {
    case 'suggested': return shape('circle', { cx: x, cy: y, r: size, opacity: bounded(confidence, 0.4), ...attributes });
    case 'weak': {
      const half = size * (0.35 + 0.5 * confidence);
      return shape('rect', { x: x - half, y: y - half, width: 2 * half, height: 2 * half, ...attributes });
    }
    case 'no-link': {
      const half = size * 0.6;
      return shape('path', { d: `M${x - half} ${y - half}l${2 * half} ${2 * half}m0 ${-2 * half}l${-2 * half} ${2 * half}`, ...attributes });
    }
    default: return shape('rect', { x: x - size, y: y - size, width: 2 * size, height: 2 * size, ...attributes });
  }
}

// A cell as a line along a path, with the shape of possible links in its middle, and a wider invisible line to point at.
export function lineOf(cell, d, x, y) {
  const which = { 'data-s': cell.s, 'data-t': cell.t };
  const line = shape('path', { d, class: 'link ' + cell.kind, ...which });
  if (cell.kind === 'suggested') {
    line.setAttribute('stroke-width', 1 + 1.6 * cell.confidence);
    line.setAttribute('stroke-opacity', bounded(cell.confidence, 0.45));
  }
  const parts = [line, shape('path', { d, class: 'reach', ...which })];
  if (cell.disputed) parts.unshift(shape('path', { d, class: 'halo', ...which }));
  if (cell.kind === 'possible') parts.push(markShape({ kind: 'possible' }, x, y, 4));
  return parts;
}

// Whether a cell is drawn as a line: what is hardly suggested only if annotators disagree on it.
export function hasLine(cell) {
  return isLink(cell.kind) || cell.kind === 'suggested' || (cell.disputed && cell.kind === 'weak');
}

// What the signs of a picture mean.
export function legend(lines, matrix, disputed) {
  const example = (kind) => ({ kind, confidence: 0.9 });
  const names = { ...NAMES, 'no-link': disputed ? 'no link' : 'suggestion rejected', ...(disputed ? { suggested: 'agreed' } : {}) };
  const kinds = ['sure', 'possible', 'suggested', ...(matrix ? [...(disputed ? [] : ['weak']), 'no-link'] : [])];
  const entry = (name, ...parts) => element('li', {}, shape('svg', { width: 34, height: 18, 'aria-hidden': 'true' }, ...parts), name);
  const entries = kinds.map((kind) => entry(names[kind],
    ...(lines && kind !== 'weak' && kind !== 'no-link' ? lineOf(example(kind), 'M0 9H34', 17, 9) : [markShape(example(kind), 17, 9, 5)])));
  if (disputed) entries.push(entry('annotators disagree', shape('path', { d: 'M0 9H34', class: 'halo' })));
  return [...entries, element('li', {}, element('span', { class: 'nothing' }, '∅'), ' translated by nothing')];
}
