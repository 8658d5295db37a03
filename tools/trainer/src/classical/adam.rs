//! Adam: gradient descent that gives every parameter its own pace.

/// How fast the mean gradient follows.
const MEAN_DECAY: f32 = 0.9;
/// How fast the mean squared gradient follows.
const SQUARE_DECAY: f32 = 0.999;
/// Keeps parameters without any gradient from dividing by 0; far below the
/// gradient that one sample in a batch gives.
const EPSILON: f32 = 1e-12;

/// What Adam remembers of the gradients so far.
#[derive(Clone, Debug)]
pub struct Adam {
    paces: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    mean_left: f32,
    square_left: f32,
}

impl Adam {
    /// A fresh memory for parameters that move at these paces, as multiples of
    /// the rate.
    #[must_use]
    pub fn new(paces: Vec<f32>) -> Self {
        Self {
            means: vec![0.0; paces.len()],
            squares: vec![0.0; paces.len()],
            paces,
            mean_left: 1.0,
            square_left: 1.0,
        }
    }

    /// Moves every parameter against its gradient, by about `rate` times its
    /// pace if its gradients agree.
    pub fn step(&mut self, parameters: &mut [f32], gradient: &[f32], rate: f32) {
        self.mean_left *= MEAN_DECAY;
        self.square_left *= SQUARE_DECAY;
        let mean_scale = rate / (1.0 - self.mean_left);
        let square_scale = 1.0 / (1.0 - self.square_left);
        let memory = self
            .means
            .iter_mut()
            .zip(&mut self.squares)
            .zip(&self.paces);
        let targets = parameters.iter_mut().zip(gradient);
        for ((parameter, &slope), ((mean, square), pace)) in targets.zip(memory) {
            *mean += (1.0 - MEAN_DECAY) * (slope - *mean);
            *square += (1.0 - SQUARE_DECAY) * (slope * slope - *square);
            let step = mean_scale * *mean / ((square_scale * *square).sqrt() + EPSILON);
            *parameter -= pace * step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_bottom_of_an_uneven_bowl() {
        let mut parameters = [5.0f32, -3.0, 7.0];
        let mut adam = Adam::new(vec![1.0; 3]);
        for step in 0..4_000 {
            let [a, b, _] = parameters;
            let gradient = [1e-4 * (a - 1.0), 100.0 * (b - 2.0), 0.0];
            adam.step(
                &mut parameters,
                &gradient,
                0.02 * (1.0 - step as f32 / 4_000.0),
            );
        }
        assert!((parameters[0] - 1.0).abs() < 0.01, "{parameters:?}");
        assert!((parameters[1] - 2.0).abs() < 0.01, "{parameters:?}");
        assert_eq!(parameters[2], 7.0);
    }

    #[test]
    fn the_first_step_is_the_rate_times_the_pace() {
        let mut parameters = [0.0f32, 0.0];
        Adam::new(vec![1.0, 0.25]).step(&mut parameters, &[1e-6, -50.0], 0.1);
        assert!((parameters[0] + 0.1).abs() < 1e-5);
        assert!((parameters[1] - 0.025).abs() < 1e-5);
    }
}
