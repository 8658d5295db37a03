//! Whole games of the engine against itself, under every rule and with every
//! opening procedure: every act and every move is allowed, no foul is made
//! where there is a choice, and the games end as they must.
//!
//! `YONSAN_GAMES` sets the number of games for each rule and procedure (default
//! 1).

use yonsan::board::{Colour, Position, Size};
use yonsan::engine::opening::OpeningRequest;
use yonsan::engine::{Engine, Options, Request};
use yonsan::rules::opening::{Opening, Procedure};
use yonsan::rules::{Game, GameResult, Rule, WinReason, judge};
use yonsan::search::{Control, Limits};

/// Positions for a move, and for a decision in an opening.
const NODES: u64 = 200;

fn game_count() -> u64 {
    std::env::var("YONSAN_GAMES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1)
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.set_options(Options {
        threads: 1,
        hash_bytes: Some(4 << 20),
        ..Options::default()
    });
    engine
}

/// Goes through an opening; the game after it, and the move that was told
/// together with the last decision, if there was one.
fn open(engine: &mut Engine, procedure: Procedure, rule: Rule, size: Size, seed: u64) -> Game {
    let mut opening = Opening::new(procedure, size).unwrap();
    let mut reply = None;
    while !opening.is_finished() {
        let request = OpeningRequest {
            opening: opening.clone(),
            rule,
            limits: Limits::nodes(NODES),
            seed,
        };
        let decision = engine.decide(&request, &Control::new(), &mut ()).unwrap();
        let result = opening.apply(&decision.act);
        assert_eq!(result, Ok(()), "{procedure}, {rule}, {size}");
        reply = decision.reply;
    }
    let mut game = Game::new(rule, size);
    let stones = opening.position().stones().iter();
    for point in stones.map(|stone| stone.point).chain(reply) {
        assert_eq!(game.play(point), Ok(GameResult::Ongoing), "{procedure}");
    }
    game
}

/// Whether the side to move has a point that is no foul.
fn has_choice(position: &Position, rule: Rule) -> bool {
    let is_restricted = rule == Rule::Renju && position.side_to_move() == Colour::Black;
    let mut free = position.empty_points();
    !is_restricted || free.any(|point| judge::renju_foul(position, point).is_none())
}

/// Plays to the end; whether somebody won.
fn play_out(engine: &mut Engine, game: &mut Game, text: &str) -> bool {
    while game.result() == GameResult::Ongoing {
        let request = Request {
            position: game.position().clone(),
            rule: game.rule(),
            limits: Limits::nodes(NODES),
            line_count: 1,
        };
        let best = engine.go(&request, &Control::new(), &mut ()).unwrap().best;
        let had_choice = has_choice(game.position(), game.rule());
        let result = game.play(best);
        let is_foul = matches!(result, Ok(GameResult::Won(_, WinReason::Foul(_))));
        assert!(result.is_ok() && !(is_foul && had_choice), "{text}: {best}");
    }
    matches!(game.result(), GameResult::Won(..))
}

#[test]
fn games_go_well_under_every_rule_and_procedure() {
    const SIDES: [u8; 4] = [15, 9, 12, 20];
    let mut ends = [0; 2];
    for (number, procedure) in Procedure::ALL.into_iter().enumerate() {
        for rule in Rule::ALL {
            for game in 0..game_count() {
                let seed = 100 * number as u64 + 10 * rule.index() as u64 + game;
                let size = Size::square(SIDES[(number + rule.index() + game as usize) % 4]);
                let size = size.unwrap();
                let mut engine = engine();
                let mut game = open(&mut engine, procedure, rule, size, seed);
                let text = format!("{procedure}, {rule}, {size}, seed {seed}");
                let is_won = play_out(&mut engine, &mut game, &text);
                ends[usize::from(is_won)] += 1;
            }
        }
    }
    assert!(ends[1] >= 20, "few games are won: {ends:?}");
}

/// No five fits where both sides see to it: such games end with the last stone.
#[test]
fn small_boards_are_played_to_the_last_stone() {
    let mut full = 0;
    for rule in Rule::ALL {
        for side in [5, 6] {
            let mut engine = engine();
            let mut game = Game::new(rule, Size::square(side).unwrap());
            let text = format!("{rule}, {side}x{side}");
            let is_won = play_out(&mut engine, &mut game, &text);
            let stones = game.position().stones().len();
            assert!(is_won || stones == usize::from(side).pow(2), "{text}");
            full += usize::from(!is_won);
        }
    }
    assert!(full >= 8, "{full} of 10 boards are filled");
}
