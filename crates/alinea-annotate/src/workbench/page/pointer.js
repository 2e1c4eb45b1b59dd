// What mouse, pen and fingers do on a picture. A finger that moves scrolls; held for a moment it selects like a mouse.

const HOLD = 350;
// How far a finger may slip in a tap.
const SLACK = 10;

export function listen(editor, scroller, pictureOf) {
  let drag = null;
  let touched = false;

  // A word, a line or a cell at a point.
  const hit = (x, y, nearestCell = false) => {
    const at = document.elementFromPoint(x, y);
    if (nearestCell) return pictureOf().cellAt(x, y, true);
    if (!at || !scroller.contains(at)) return null;
    const word = at.closest('.word');
    if (word) return { side: Number(word.dataset.side), n: Number(word.dataset.n) };
    const line = at.closest('.reach');
    if (line) return { s: Number(line.dataset.s), t: Number(line.dataset.t), line: true };
    return at.closest('.cells') ? pictureOf().cellAt(x, y) : null;
  };

  const begin = () => {
    drag.active = true;
    editor.drag(drag.start, drag.start);
  };

  const end = () => {
    clearTimeout(drag?.timer);
    drag = null;
  };

  scroller.addEventListener('pointerdown', (event) => {
    touched = event.pointerType !== 'mouse';
    if (event.button !== 0 || !event.isPrimary || !pictureOf()) return;
    end();
    drag = { id: event.pointerId, start: hit(event.clientX, event.clientY), x: event.clientX, y: event.clientY, active: false };
    if (touched) drag.timer = setTimeout(() => drag?.start && begin(), HOLD);
    else if (drag.start) {
      scroller.setPointerCapture(event.pointerId);
      begin();
    }
  });

  scroller.addEventListener('pointermove', (event) => {
    const [x, y] = [event.clientX, event.clientY];
    if (!drag) {
      if (event.pointerType === 'mouse' && pictureOf()) editor.hover(hit(x, y));
      return;
    }
    if (event.pointerId !== drag.id) return;
    if (drag.active) {
      const { start } = drag;
      const now = hit(x, y, start.s !== undefined && !start.line);
      // A line that is left is not clicked; words stay selected where the pointer is between them.
      if (now || start.side === undefined) editor.drag(start, start.line ? sameLine(start, now) : now);
    } else if (Math.hypot(x - drag.x, y - drag.y) > SLACK) {
      clearTimeout(drag.timer);
      drag.moved = true;
    }
  });

  scroller.addEventListener('pointerup', (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { active, moved, start } = drag;
    end();
    if (!active && moved) return;
    if (!active) editor.drag(start, start);
    editor.drop();
    editor.hover(null);
  });

  scroller.addEventListener('pointercancel', () => {
    if (!drag) return;
    end();
    editor.cancelDrag();
  });

  scroller.addEventListener('pointerleave', () => drag || editor.hover(null));

  // Only this keeps a browser from scrolling while a finger selects.
  scroller.addEventListener('touchmove', (event) => drag?.active && event.cancelable && event.preventDefault(), { passive: false });

  scroller.addEventListener('contextmenu', (event) => {
    if (touched) {
      event.preventDefault();
      return;
    }
    const at = pictureOf() && hit(event.clientX, event.clientY);
    if (at?.s === undefined) return;
    event.preventDefault();
    editor.remove(at.s, at.t);
  });
}

function sameLine(start, now) {
  return now?.s === start.s && now?.t === start.t ? now : null;
}
