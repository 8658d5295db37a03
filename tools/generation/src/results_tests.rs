use super::*;
use std::path::PathBuf;
use yonsan::board::{Size, parse_moves};
use yonsan_format::{Appender, End, Facts, Game, Header, Ply};

/// As `trainer classical` writes it, shortened; an earlier run comes first.
const FIT_LOG: &str = "\
$ trainer classical --epochs 1
freestyle: 1 games, 0 repeated ones left out, read in 0.0 s
  values, held out: loss 9.0000, against endings 9.0000, winners told 1.0 %
$ trainer classical --epochs 2
cut short: games.ygd: a torn record at byte 80
freestyle: 120 games, 3 repeated ones left out, read in 0.1 s
  learn:    4000 values (1 of 1), 3000 moves (1 of 1)
  held out: 250 values (1 of 1), 190 moves (1 of 1)
  scores of the games: 210 stands for e : 1
  values before:   loss 0.6500, against endings 0.6600, winners told 61.5 %
  values epoch  1: learn 0.6000, held out: loss 0.6400, against endings 0.6500, winners told 62.0 %
  values, learn:    loss 0.5000, against endings 0.5100, winners told 70.0 %
  values, held out: loss 0.5250, against endings 0.5350, winners told 68.5 %
  foretold  scored  positions
     5.0 %   4.0 %        100
  90000 values a second
  moves before:   loss 2.5000, among 1 best 30.0 %, among 3 best 50.0 %, among 8 best 70.0 %
  moves, held out: loss 2.1000, among 1 best 36.5 %, among 3 best 60.0 %, among 8 best 80.0 %
standard: 0 games, 0 repeated ones left out, read in 0.1 s
  learn:    0 values (1 of 1), 0 moves (1 of 1)
  held out: 0 values (1 of 1), 0 moves (1 of 1)
renju: 10 games, 0 repeated ones left out, read in 0.1 s
  learn:    400 values (1 of 1), 0 moves (1 of 1)
  held out: 50 values (1 of 1), 0 moves (1 of 1)
  values before:   loss 0.7000, against endings 0.7000, winners told 50.0 %
  values, held out: loss 0.6000, against endings 0.6000, winners told 55.0 %
written: classical.weights
";

const NET_LOG: &str = "\
$ trainer nnue --epochs 1
120 games, 3 repeated ones left out; read in 0.1 s
4800 positions for learning, 240 held out, 17 repeated ones left out
  scores of generation 0, freestyle: 210 stands for e : 1
before rounding, held out: outcomes 0.9000, points 0.5000 (classical 0.6000), moves 2.0000 (2.2000), first 1.0 % (2.0 %)
rounded, held out: outcomes 0.9100, points 0.5100 (classical 0.6100), moves 2.0100 (2.2100), first 33.5 % (28.0 %)
  held out: net, then classical
";

fn quality(loss: f64, right: f64) -> Quality {
    Quality { loss, right }
}

#[test]
fn figures_of_a_fit_are_read() {
    let Outcome::Fit { rules } = read_fit(last_run(FIT_LOG)).unwrap() else {
        panic!("no fit");
    };
    let freestyle = RuleFit {
        rule: "freestyle".to_owned(),
        value_count: 250,
        values: Some(Change {
            before: quality(0.65, 61.5),
            after: quality(0.525, 68.5),
        }),
        moves: Some(Change {
            before: quality(2.5, 30.0),
            after: quality(2.1, 36.5),
        }),
    };
    let renju = RuleFit {
        rule: "renju".to_owned(),
        value_count: 50,
        values: Some(Change {
            before: quality(0.7, 50.0),
            after: quality(0.6, 55.0),
        }),
        moves: None,
    };
    assert_eq!(rules, [freestyle, renju]);
    assert!(read_fit("$ trainer classical\n").is_err());
}

#[test]
fn figures_of_a_net_are_read() {
    let expected = NetFigures {
        learned: 4_800,
        held_out: 240,
        outcome_loss: 0.91,
        values: 0.51,
        table_values: 0.61,
        moves: quality(2.01, 33.5),
        table_moves: quality(2.21, 28.0),
    };
    assert_eq!(read_net(NET_LOG).unwrap(), Outcome::Net(expected));
    assert!(read_net("$ trainer nnue\n").is_err());
}

fn figures(wins: u64, draws: u64, losses: u64, standard_error: Option<f64>) -> GateFigures {
    GateFigures {
        wins,
        draws,
        losses,
        standard_error,
        failures: 0,
    }
}

/// A score of 3/4 is 190.85 Elo. Two matches of 100 and 300 games: the errors
/// of the sums are 100 * 0.04 = 4 and 300 * 0.01 = 3, together 5 of 400.
#[test]
fn matches_weigh_by_their_games() {
    assert_eq!(elo([]), None);
    let one = elo([&figures(75, 0, 25, Some(0.04))]).unwrap();
    assert!((one.elo - 190.85).abs() < 0.01);
    let matches = [
        figures(100, 0, 0, Some(0.04)),
        figures(190, 20, 90, Some(0.01)),
    ];
    let both = elo(&matches).unwrap();
    assert!((both.elo - 190.85).abs() < 0.01);
    assert_eq!(both, Estimate::from_score(0.75, 5.0 / 400.0));
    let unsure = elo([&matches[0], &figures(1, 0, 1, None)]).unwrap();
    assert_eq!(unsure.error_95, f64::INFINITY);
}

fn game(rule: Rule) -> Game {
    let moves = parse_moves("e5 a1 e6 c1 e7 e1 e8 g1 e9").unwrap();
    let facts = Facts {
        rule,
        size: Size::square(9).unwrap(),
        winner: Some(yonsan::board::Colour::Black),
        end: End::Five,
        opening_len: 9,
        generation: 0,
        seed: 0,
    };
    Game::new(facts, moves.into_iter().map(Ply::of_opening).collect()).unwrap()
}

#[test]
fn games_are_counted_by_rule_and_a_torn_one_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("games");
    let header = Header {
        seed: 1,
        settings: 2,
    };
    let (mut file, _) = Appender::open(&path, header).unwrap();
    assert!(count_games(&path).is_err());
    for rule in [Rule::Caro, Rule::Freestyle, Rule::Caro] {
        file.append(&game(rule)).unwrap();
    }
    drop(file);
    let count = |rule: &str, games| RuleGames {
        rule: rule.to_owned(),
        games,
        positions: 9 * games,
    };
    let whole = vec![count("freestyle", 1), count("caro", 2)];
    assert_eq!(count_games(&path).unwrap(), Outcome::Data { rules: whole });
    let mut bytes = fs::read(&path).unwrap();
    bytes.truncate(bytes.len() - 3);
    fs::write(&path, bytes).unwrap();
    let torn = vec![count("freestyle", 1), count("caro", 1)];
    assert_eq!(count_games(&path).unwrap(), Outcome::Data { rules: torn });
}
