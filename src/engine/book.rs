//! Playing from an opening book, where that helps: where the search that made
//! an entry was at least what the present one would come to.

use super::{Engine, Outcome, Request, board};
use crate::book::{Book, Entry, Kind, Work, Worth};
use crate::pattern::Group;
use crate::search::{Control, Limits, Line, Reporter, Score};
use std::sync::Arc;
use std::time::Duration;

/// Shorter searches say little about the speed of the next one.
const TELLING_TIME: Duration = Duration::from_millis(50);

/// How fast the engine has searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Speed {
    nodes: u64,
    time: Duration,
}

impl Speed {
    fn of(outcome: &Outcome) -> Option<Self> {
        (outcome.elapsed >= TELLING_TIME).then_some(Self {
            nodes: outcome.nodes,
            time: outcome.elapsed,
        })
    }

    /// Positions that can be searched in this time.
    fn nodes_in(self, time: Duration) -> u64 {
        let nodes = u128::from(self.nodes) * time.as_micros() / self.time.as_micros().max(1);
        u64::try_from(nodes).unwrap_or(u64::MAX)
    }
}

impl Engine {
    /// Gives the engine a book to play from, or takes it away.
    pub fn set_book(&mut self, book: Option<Arc<Book>>) {
        self.book = book;
    }

    /// [`Engine::go`], unless the book has an answer that is at least as good:
    /// then nothing is searched, [`Outcome::book`] says so, and the reporter
    /// hears nothing. The book has none for positions with blocked points or a
    /// five at hand, nor where several lines are asked for, points excluded,
    /// or the search has no bound.
    pub fn play(
        &mut self,
        request: &Request,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Option<Outcome> {
        if let Some(entry) = self.known(request, control)
            && let Some(outcome) = from_book(entry, &request.limits)
        {
            log::debug!("from the book: {entry:?}");
            return Some(outcome);
        }
        let outcome = self.go(request, control, reporter)?;
        self.speed = Speed::of(&outcome).or(self.speed);
        Some(outcome)
    }

    /// The entry to play from.
    fn known(&self, request: &Request, control: &Control) -> Option<Entry> {
        let book = self.book.as_ref()?;
        let is_plain = request.line_count <= 1 && request.limits.excluded.is_empty();
        if !is_plain {
            return None;
        }
        let entry = book.answer(&request.position, request.rule)?;
        if !self.suffices(&entry, &request.limits, control) {
            return None;
        }
        // The search would see it at once, whatever a book says.
        let board = board(request);
        let side = board.side_to_move();
        let is_quiet = [side, !side]
            .iter()
            .all(|&side| board.count(side, Group::Five) == 0);
        is_quiet.then_some(entry)
    }

    /// Whether a search within these bounds would come to no more than the one
    /// that made the entry.
    fn suffices(&self, entry: &Entry, limits: &Limits, control: &Control) -> bool {
        let Work {
            depth,
            nodes,
            thread_ms,
        } = entry.work;
        let by_time = || {
            limits
                .ordinary_time(control)
                .is_some_and(|time| match self.speed {
                    Some(speed) => nodes >= speed.nodes_in(time),
                    // Nothing is known of this machine yet: let it be like the
                    // one that made the book.
                    None => {
                        let threads = self.options.threads.max(1) as u128;
                        u128::from(thread_ms) >= time.as_millis() * threads
                    }
                })
        };
        entry.worth.is_proved()
            || limits.max_nodes.is_some_and(|most| nodes >= most)
            || limits
                .max_depth
                .is_some_and(|most| u32::from(depth) >= most)
            || by_time()
    }
}

impl From<Worth> for Score {
    fn from(worth: Worth) -> Self {
        match worth {
            Worth::Plain(value) => Self::plain(value.into()),
            Worth::Win(plies) => Self::win_in(plies.into()),
            Worth::Loss(plies) => Self::loss_in(plies.into()),
        }
    }
}

/// What the engine answers with an entry.
fn from_book(entry: Entry, limits: &Limits) -> Option<Outcome> {
    let score = Score::from(entry.worth);
    let moves: Vec<_> = entry.moves().collect();
    Some(Outcome {
        best: entry.best()?,
        score,
        depth: entry.work.depth.into(),
        nodes: 0,
        elapsed: limits.started.elapsed(),
        principal_variation: moves.clone(),
        lines: vec![Line { score, moves }],
        book: Some(entry),
    })
}

impl Outcome {
    /// What a book keeps of this: the best line of a search with so many
    /// threads, or the first moves of all its lines.
    #[must_use]
    pub fn entry(&self, kind: Kind, threads: usize) -> Entry {
        let plies = |plies: u32| u16::try_from(plies).unwrap_or(u16::MAX);
        let worth = match (self.score.win_plies(), self.score.loss_plies()) {
            (Some(win), _) => Worth::Win(plies(win)),
            (_, Some(loss)) => Worth::Loss(plies(loss)),
            _ => {
                let raw = self.score.raw();
                Worth::Plain(raw.clamp(i16::MIN.into(), i16::MAX.into()) as i16)
            }
        };
        let thread_ms = self.elapsed.as_millis() * threads.max(1) as u128;
        let work = Work {
            depth: plies(self.depth),
            nodes: self.nodes,
            thread_ms: u32::try_from(thread_ms).unwrap_or(u32::MAX),
        };
        match kind {
            Kind::Answer => Entry::new(kind, worth, work, &self.principal_variation),
            Kind::Replies => {
                let firsts = self.lines.iter().filter_map(|line| line.moves.first());
                let firsts: Vec<_> = firsts.copied().collect();
                Entry::new(kind, worth, work, &firsts)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Point, Position, Size, parse_moves};
    use crate::engine::Options;
    use crate::rules::Rule;

    fn position(moves: &str) -> Position {
        let size = Size::square(15).unwrap();
        Position::from_moves(size, &parse_moves(moves).unwrap()).unwrap()
    }

    fn point(text: &str) -> Point {
        text.parse().unwrap()
    }

    /// An engine of one thread with a book that would play on the edge, where
    /// no search does.
    fn engine(moves: &str, worth: Worth) -> Engine {
        let work = Work {
            depth: 8,
            nodes: 1_000,
            thread_ms: 400,
        };
        let entry = Entry::new(Kind::Answer, worth, work, &[point("a1"), point("c3")]);
        let mut book = Book::default();
        assert!(book.put(&position(moves), Rule::Freestyle, entry));
        let mut engine = Engine::new();
        engine.set_options(Options {
            threads: 1,
            hash_bytes: Some(1 << 20),
            ..Options::default()
        });
        engine.set_book(Some(Arc::new(book)));
        engine
    }

    fn request(moves: &str, limits: Limits) -> Request {
        Request {
            position: position(moves),
            rule: Rule::Freestyle,
            limits,
            line_count: 1,
        }
    }

    const QUIET: &str = "h8i9j7";

    fn plays_from_book(engine: &mut Engine, request: &Request) -> bool {
        let control = Control::new();
        let outcome = engine.play(request, &control, &mut ()).unwrap();
        assert_eq!(outcome.book.is_some(), outcome.best == point("a1"));
        outcome.book.is_some()
    }

    #[test]
    fn what_the_book_says_is_told() {
        let mut engine = engine(QUIET, Worth::Plain(-5));
        let request = request(QUIET, Limits::nodes(1_000));
        let outcome = engine.play(&request, &Control::new(), &mut ()).unwrap();
        assert_eq!(outcome.best, point("a1"));
        assert_eq!(outcome.score, Score::plain(-5));
        assert_eq!((outcome.depth, outcome.nodes), (8, 0));
        assert_eq!(outcome.principal_variation, [point("a1"), point("c3")]);
        // The book is for playing only.
        let searched = engine.go(&request, &Control::new(), &mut ()).unwrap();
        assert_eq!(searched.book, None);
        assert_ne!(searched.best, point("a1"));
    }

    #[test]
    fn only_what_is_no_less_than_a_search_is_played() {
        let mut engine = engine(QUIET, Worth::Plain(-5));
        let mut plays = |limits| plays_from_book(&mut engine, &request(QUIET, limits));
        assert!(plays(Limits::nodes(1_000)));
        assert!(!plays(Limits::nodes(1_001)));
        assert!(plays(Limits::depth(8)));
        assert!(!plays(Limits::depth(9)));
        // Whatever comes first ends a search.
        assert!(plays(Limits {
            max_nodes: Some(1_000),
            ..Limits::depth(9)
        }));
        assert!(plays(Limits::time(Duration::ZERO)));
    }

    #[test]
    fn time_counts_as_the_work_that_can_be_done_in_it() {
        let mut engine = engine(QUIET, Worth::Plain(-5));
        let ms = |ms| Limits::time(Duration::from_millis(ms));
        // 30 ms of a move are not used for the search.
        assert!(plays_from_book(&mut engine, &request(QUIET, ms(430))));
        engine.options.threads = 2;
        assert!(!engine.suffices(&entry_of(&engine), &ms(430), &Control::new()));
        assert!(engine.suffices(&entry_of(&engine), &ms(230), &Control::new()));
        let speed = |nodes| {
            Some(Speed {
                nodes,
                time: Duration::from_secs(1),
            })
        };
        engine.speed = speed(1_000);
        assert!(engine.suffices(&entry_of(&engine), &ms(1_030), &Control::new()));
        engine.speed = speed(1_100);
        assert!(!engine.suffices(&entry_of(&engine), &ms(1_030), &Control::new()));
        // A twentieth of what is left for the game.
        let left = |seconds| Limits {
            match_left: Some(Duration::from_secs(seconds)),
            ..Limits::unlimited()
        };
        assert!(engine.suffices(&entry_of(&engine), &left(18), &Control::new()));
        assert!(!engine.suffices(&entry_of(&engine), &left(19), &Control::new()));
        let unlimited = Limits::unlimited();
        assert!(!engine.suffices(&entry_of(&engine), &unlimited, &Control::new()));
    }

    fn entry_of(engine: &Engine) -> Entry {
        let book = engine.book.as_ref().unwrap();
        book.answer(&position(QUIET), Rule::Freestyle).unwrap()
    }

    #[test]
    fn a_decided_game_needs_no_search() {
        let mut engine = engine(QUIET, Worth::Loss(20));
        let request = request(QUIET, Limits::nodes(1_000_000));
        let outcome = engine.play(&request, &Control::new(), &mut ()).unwrap();
        assert_eq!(outcome.score, Score::loss_in(20));
    }

    #[test]
    fn a_five_at_hand_is_not_left_to_a_book() {
        // Four stones of the side to move, then of the other one.
        for moves in ["h8h1h9i2h10k1h11g4", "h8h1h9i2h10k1h11"] {
            let mut engine = engine(moves, Worth::Plain(0));
            let request = request(moves, Limits::nodes(100));
            assert!(!plays_from_book(&mut engine, &request), "{moves}");
        }
    }

    #[test]
    fn analysis_walls_and_other_rules_are_searched() {
        let mut engine = engine(QUIET, Worth::Plain(-5));
        let plain = request(QUIET, Limits::nodes(100));
        let mut lines = plain.clone();
        lines.line_count = 2;
        let mut excluded = plain.clone();
        excluded.limits.excluded = [point("o15")].into_iter().collect::<Bitboard>();
        let mut walled = plain.clone();
        walled.position.block(point("o15"));
        let mut other_rule = plain.clone();
        other_rule.rule = Rule::Caro;
        let mut other_size = plain.clone();
        let moves = parse_moves(QUIET).unwrap();
        other_size.position = Position::from_moves(Size::square(16).unwrap(), &moves).unwrap();
        for request in [lines, excluded, walled, other_rule, other_size] {
            assert!(!plays_from_book(&mut engine, &request));
        }
        assert!(plays_from_book(&mut engine, &plain));
        engine.set_book(None);
        assert!(!plays_from_book(&mut engine, &plain));
    }

    #[test]
    fn outcomes_become_entries_and_outcomes_again() {
        let mut engine = Engine::new();
        engine.set_options(Options {
            threads: 1,
            hash_bytes: Some(1 << 20),
            ..Options::default()
        });
        for moves in [QUIET, "h8a1h9c1h10e1h11g1"] {
            let mut request = request(moves, Limits::nodes(2_000));
            request.line_count = 2;
            let outcome = engine.go(&request, &Control::new(), &mut ()).unwrap();
            let entry = outcome.entry(Kind::Answer, 3);
            let again = from_book(entry, &request.limits).unwrap();
            assert_eq!((again.best, again.score), (outcome.best, outcome.score));
            assert_eq!(again.depth, outcome.depth);
            assert_eq!(entry.work.nodes, outcome.nodes);
            let ms = outcome.elapsed.as_millis() as u32;
            assert_eq!(entry.work.thread_ms, 3 * ms);
            let replies: Vec<Point> = outcome.entry(Kind::Replies, 1).moves().collect();
            let firsts: Vec<Point> = outcome.lines.iter().map(|line| line.moves[0]).collect();
            assert_eq!(replies, firsts);
        }
    }
}
