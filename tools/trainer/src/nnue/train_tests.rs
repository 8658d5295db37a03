use super::super::checkpoint;
use super::super::layout::Layout;
use super::super::test_games::data_of;
use super::*;
use std::sync::Arc;
use yonsan::rules::Rule;

const SETTINGS: Settings = Settings {
    epochs: 12,
    batch: 64,
    rate: 0.01,
    decay: 0.1,
    move_weight: 0.5,
    seed: 3,
};

fn net(data: &Data, sight: &Sight) -> Net {
    let frequencies = data.frequencies(sight);
    Net::new(Arc::new(Layout::new(|key| frequencies[key] >= 5)), 1)
}

/// Mean losses of a net on the samples it learns from.
fn losses(training: &mut Training<'_>, net: &Net) -> (f32, f32) {
    let data = training.data;
    let verdicts = training.judge(net, &data.learn, true);
    let loss_of = |(sample, verdict): (&Sample, &Verdict)| -> f32 {
        let parts = sample.target.iter().zip(verdict.chances);
        parts.map(|(target, chance)| -target * chance.ln()).sum()
    };
    let values = data.learn.iter().zip(&verdicts);
    let value: f32 = values.filter(|(s, _)| s.has_value).map(loss_of).sum();
    let urge: f32 = verdicts.iter().map(|verdict| verdict.move_loss).sum();
    let count = verdicts.len() as f32;
    (value / count, urge / count)
}

#[test]
fn training_brings_the_losses_down() {
    let data = data_of(&[(Rule::Standard, 9), (Rule::Renju, 10)], 12);
    let sight = Sight::new(&data.sizes());
    let start = net(&data, &sight);
    let mut training = Training::new(&data, &sight, start.clone(), SETTINGS);
    while training.advance().is_some() {}
    let before = losses(&mut training, &start);
    let net = training.outcome().clone();
    let after = losses(&mut training, &net);
    assert!(after.0 < before.0 - 0.2, "{before:?} {after:?}");
    assert!(after.1 < before.1 - 0.5, "{before:?} {after:?}");
    // The row of nothing stays nothing, and so do heads nobody asked.
    assert!(net.rows[0] == Row::ZERO);
    assert!(net.heads[2] == start.heads[2]);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let data = data_of(&[(Rule::Freestyle, 9)], 4);
    let sight = Sight::new(&data.sizes());
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let settings = Settings {
                epochs: 2,
                ..SETTINGS
            };
            let mut training = Training::new(&data, &sight, net(&data, &sight), settings);
            while training.advance().is_some() {}
            training.net.rows
        })
    };
    assert!(run(1) == run(3));
}

#[test]
fn the_rate_rises_and_falls() {
    // Long enough for a rise of many steps.
    let settings = Settings {
        epochs: 400,
        ..SETTINGS
    };
    let data = data_of(&[(Rule::Freestyle, 9)], 4);
    let sight = Sight::new(&data.sizes());
    let mut training = Training::new(&data, &sight, net(&data, &sight), settings);
    let count = training.step_count();
    let mut rate_at = |step| {
        training.step = step;
        training.rate()
    };
    assert!(rate_at(0) < 0.5 * SETTINGS.rate);
    assert!(rate_at(count / 10) > 0.9 * SETTINGS.rate);
    let half = rate_at(count / 2) / SETTINGS.rate;
    assert!((0.4..0.6).contains(&half), "{half}");
    assert!(rate_at(count) < 0.02 * SETTINGS.rate);
}

#[test]
fn a_run_goes_on_as_if_it_had_not_stopped() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("run");
    let data = data_of(&[(Rule::Freestyle, 9)], 4);
    let sight = Sight::new(&data.sizes());
    let settings = Settings {
        epochs: 10,
        ..SETTINGS
    };
    let fresh = || Training::new(&data, &sight, net(&data, &sight), settings);
    let mut whole = fresh();
    // Stopped in the middle of an epoch, after the averaging began.
    let stop = whole.step_count() - 3;
    while whole.advance().is_some() {
        if whole.steps() == stop {
            checkpoint::save(&mut whole, &path).unwrap();
        }
    }
    let mut second = fresh();
    checkpoint::resume(&mut second, &path).unwrap();
    assert_eq!(second.steps(), stop);
    while second.advance().is_some() {}
    assert!(second.net.rows == whole.net.rows && second.net.heads == whole.net.heads);
    assert!(second.outcome().rows == whole.outcome().rows);

    let complaint = |settings, bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let mut run = Training::new(&data, &sight, net(&data, &sight), settings);
        checkpoint::resume(&mut run, &path).unwrap_err().to_string()
    };
    let bytes = std::fs::read(&path).unwrap();
    let other = Settings {
        seed: 4,
        ..settings
    };
    assert!(complaint(other, &bytes).contains("other games or settings"));
    assert!(complaint(settings, &bytes[..bytes.len() - 1]).contains("damaged"));
    assert!(complaint(settings, b"YONSANCP").contains("damaged"));
    assert!(complaint(settings, b"something else").contains("not a checkpoint"));
}
