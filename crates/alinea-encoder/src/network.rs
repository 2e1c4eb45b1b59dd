//! The forward pass of BERT (Devlin et al. 2019) and XLM-RoBERTa (Conneau et al. 2020), which have one architecture.
//!
//! With x the sum of the embeddings of piece, position and segment, normalized, each layer computes, for each head of width d,
//!
//! ```text
//! Q, K, V = x W_q + b_q, …        A = softmax(Q Kᵀ / √d) V        (Vaswani et al. 2017, section 3.2)
//! x <- norm(x + A W_o + b_o)      x <- norm(x + f(x W_1 + b_1) W_2 + b_2)
//! ```
//!
//! with f the activation, GELU in these models. Sentences of a batch stand one after another without padding: each attends to
//! itself alone, so what is computed of it does not depend on the batch. Products of matrices are where the time goes
//! ([`linear`]): in 16-bit integers, whose sums are exact, or in single precision.
//!
//! **Rooms.** `linear` layers of weights; `product` the innermost loops; `attention`; `functions` exponential, GELU,
//! normalization.

mod attention;
mod functions;
mod linear;
mod product;

use crate::config::{Activation, Config};
use crate::error::Result;
use crate::network::attention::Attention;
use crate::network::functions::{Activate, Normalize};
use crate::network::linear::{Linear, Rounded};
use crate::numeric::simd::dispatch;
use crate::weights::Weights;

/// How products of matrices are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// Weights and inputs rounded to 16-bit integers: hidden states differ by about 0.1 %, in two thirds of the time.
    #[default]
    Rounded,
    /// In single precision.
    Single,
}

/// Gain and bias of a normalization.
#[derive(Debug)]
struct Norm {
    gain: Vec<f32>,
    bias: Vec<f32>,
}

#[derive(Debug)]
struct Layer {
    /// Query, key and value, one behind the other.
    attended: Linear,
    attention_output: Linear,
    attention_norm: Norm,
    intermediate: Linear,
    output: Linear,
    output_norm: Norm,
}

/// A network up to a layer, without the embeddings of pieces.
#[derive(Debug)]
pub(crate) struct Network {
    width: usize,
    heads: usize,
    epsilon: f32,
    activation: Activation,
    /// The sum of the embeddings of a position and of the first segment, from position 0 of a sentence on.
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

/// What a thread computes in.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    /// The states of all pieces: inputs of the first layer, then outputs of the last.
    pub(crate) states: Vec<f32>,
    attended: Vec<f32>,
    context: Vec<f32>,
    intermediate: Vec<f32>,
    output: Vec<f32>,
    rounded: Rounded,
    attention: attention::Buffers,
}

impl Network {
    /// Reads the first layers of a model.
    pub(crate) fn read(weights: &Weights, config: &Config, layers: usize, precision: Precision) -> Result<Self> {
        let width = config.hidden;
        let norm = |name: &str| -> Result<Norm> {
            let part = |part: &str| weights.tensor(&format!("{name}.LayerNorm.{part}"), &[width]);
            Ok(Norm { gain: part("weight")?, bias: part("bias")? })
        };
        let matrix = |name: &str, [outputs, inputs]: [usize; 2]| -> Result<[Vec<f32>; 2]> {
            let matrix = weights.tensor(&format!("{name}.weight"), &[outputs, inputs])?;
            Ok([matrix, weights.tensor(&format!("{name}.bias"), &[outputs])?])
        };
        let linear = |name: &str, shape: [usize; 2]| -> Result<Linear> {
            let [matrix, bias] = matrix(name, shape)?;
            Ok(Linear::new(&matrix, bias, shape, precision))
        };
        let layer = |n: usize| -> Result<Layer> {
            let name = |part: &str| format!("encoder.layer.{n}.{part}");
            let [mut attended, mut bias] = [Vec::new(), Vec::new()];
            for part in ["query", "key", "value"] {
                let [of_part, bias_of_part] = matrix(&name(&format!("attention.self.{part}")), [width, width])?;
                attended.extend(of_part);
                bias.extend(bias_of_part);
            }
            Ok(Layer {
                attended: Linear::new(&attended, bias, [3 * width, width], precision),
                attention_output: linear(&name("attention.output.dense"), [width, width])?,
                attention_norm: norm(&name("attention.output"))?,
                intermediate: linear(&name("intermediate.dense"), [config.intermediate, width])?,
                output: linear(&name("output.dense"), [width, config.intermediate])?,
                output_norm: norm(&name("output"))?,
            })
        };
        let shape = [config.first_position + config.positions, width];
        let table = weights.tensor("embeddings.position_embeddings.weight", &shape)?;
        let segment = weights.tensor("embeddings.token_type_embeddings.weight", &[config.types, width])?;
        let of_position =
            |position: &[f32]| -> Vec<f32> { position.iter().zip(&segment).map(|(p, s)| p + s).collect() };
        Ok(Self {
            width,
            heads: config.heads,
            epsilon: config.epsilon,
            activation: config.activation,
            positions: table.chunks_exact(width).skip(config.first_position).flat_map(of_position).collect(),
            norm: norm("embeddings")?,
            layers: (0..layers).map(layer).collect::<Result<_>>()?,
        })
    }

    /// Computes the outputs of the last layer: `buffers.states` has the embeddings of the pieces of sentences of these
    /// lengths, and their outputs afterwards.
    ///
    /// # Panics
    /// If a sentence is longer than there are positions.
    pub(crate) fn run(&self, lengths: &[usize], buffers: &mut Buffers) {
        let width = self.width;
        let Buffers { states, attended, context, intermediate, output, rounded, attention } = buffers;
        let mut sentences = &mut states[..];
        for length in lengths {
            let (sentence, rest) = sentences.split_at_mut(length * width);
            sentence.iter_mut().zip(&self.positions[..length * width]).for_each(|(state, position)| *state += position);
            sentences = rest;
        }
        let epsilon = self.epsilon;
        let normalize = |states: &mut [f32], added: &[f32], Norm { gain, bias }: &Norm| {
            dispatch(Normalize { states, added, gain, bias, epsilon });
        };
        normalize(states, &[], &self.norm);
        for layer in &self.layers {
            layer.attended.apply(states, attended, rounded);
            context.resize(states.len(), 0.0);
            let heads = self.heads;
            dispatch(Attention { attended, lengths, width, heads, context, buffers: attention });
            layer.attention_output.apply(context, output, rounded);
            normalize(states, output, &layer.attention_norm);
            layer.intermediate.apply(states, intermediate, rounded);
            dispatch(Activate { activation: self.activation, values: intermediate });
            layer.output.apply(intermediate, output, rounded);
            normalize(states, output, &layer.output_norm);
        }
    }
}
