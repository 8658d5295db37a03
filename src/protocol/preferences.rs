//! What the manager has set, and what follows from it for a search.
//!
//! Values outlive games: one manager sends them before `START`, another only
//! once. Only the time used is counted anew for each game.

use super::Settings;
use super::message::MAX_HASH_SIZE_LOG;
use super::setting::{Setting, SettingError};
use crate::board::Position;
use crate::engine::{Level, Options, random_seed};
use crate::rules::{Rule, continuous};
use crate::search::Limits;
use std::time::{Duration, Instant};

/// Time for a move if the manager names no bound of any kind.
const DEFAULT_TURN: Duration = Duration::from_secs(5);
/// `INFO time_left` of this many milliseconds and more means: no bound.
const ENDLESS_MS: i64 = 2_147_483_647;
/// More threads than this are a mistake.
const MAX_THREADS: usize = 256;
const BYTES_PER_KIB: u64 = 1024;
/// The largest table that `yxshowinfo` offers.
const MAX_HASH_KIB: u64 = 1 << MAX_HASH_SIZE_LOG;

/// The bit of a rule code that asks for a game that goes on after a win.
const CONTINUOUS_BIT: u32 = 2;

/// Everything set so far.
#[derive(Debug, Default)]
pub struct Preferences {
    settings: Settings,
    rule: Rule,
    is_continuous: bool,
    turn_ms: Option<i64>,
    match_ms: Option<i64>,
    left_ms: Option<i64>,
    /// Our time since the manager last said how much is left.
    used: Duration,
    max_nodes: Option<u64>,
    max_depth: Option<u32>,
    threads: Option<usize>,
    hash_bytes: Option<u64>,
    memory_bytes: Option<u64>,
    show_detail: u32,
    is_tournament: bool,
    ponders: bool,
    level: Option<Level>,
    seed: Option<i64>,
}

impl Preferences {
    /// Nothing set but the command line.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// The rule.
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// The position as it counts under the rule: in a game that goes on after a
    /// win the stones that have won are nobody's.
    pub fn as_it_counts(&self, position: &Position) -> Position {
        if self.is_continuous {
            continuous::without_wins(position, self.rule)
        } else {
            position.clone()
        }
    }

    /// Whether to feed the live display of Yixin's manager.
    pub const fn shows_live_board(&self) -> bool {
        self.show_detail & 1 != 0
    }

    /// Whether to feed the live display of managers in a browser.
    pub const fn shows_live_values(&self) -> bool {
        self.show_detail & 2 != 0
    }

    /// Whether to search while the opponent thinks. Below full strength this
    /// would be of no use.
    pub const fn ponders(&self) -> bool {
        self.ponders && self.level.is_none()
    }

    /// The level to play at; `None` for full strength.
    pub const fn level(&self) -> Option<Level> {
        self.level
    }

    /// Where chance begins, at a level and in openings: as the manager says,
    /// or the command line, else another number every time.
    pub fn seed(&self) -> u64 {
        let named = self.seed.map(|seed| seed as u64);
        named.or(self.settings.seed).unwrap_or_else(random_seed)
    }

    /// Keeps a setting. `is_yixin` says that rule codes have Yixin's meaning.
    ///
    /// # Errors
    ///
    /// If the value is impossible; the old one stays.
    pub fn set(&mut self, setting: &Setting, is_yixin: bool) -> Result<(), SettingError> {
        match *setting {
            Setting::TurnTime(ms) => self.turn_ms = Some(ms),
            Setting::MatchTime(ms) => self.match_ms = Some(ms),
            Setting::TimeLeft(ms) => {
                self.left_ms = Some(ms);
                self.used = Duration::ZERO;
            }
            Setting::RuleCode(code) => {
                let (rule, is_continuous) =
                    rule(code, is_yixin).ok_or(SettingError::UnknownRule(code))?;
                self.rule = rule;
                self.is_continuous = is_continuous;
            }
            Setting::MaxMemory(bytes) => self.memory_bytes = Some(bytes),
            Setting::HashSize(kib) => {
                self.hash_bytes = Some(kib.min(MAX_HASH_KIB) * BYTES_PER_KIB);
            }
            Setting::Threads(count) => {
                let count = usize::try_from(count).unwrap_or(MAX_THREADS);
                self.threads = Some(count.min(MAX_THREADS));
            }
            Setting::MaxNodes(bound) => self.max_nodes = bound,
            Setting::MaxDepth(bound) => self.max_depth = bound,
            Setting::ShowDetail(bits) => self.show_detail = bits,
            Setting::GameType(kind) => self.is_tournament = kind == TOURNAMENT,
            Setting::Pondering(ponders) => self.ponders = ponders,
            Setting::Level(level) => self.level = level,
            Setting::Seed(seed) => self.seed = Some(seed),
            // The session looks there.
            Setting::Folder(_) | Setting::Ignored => {}
        }
        Ok(())
    }

    /// A game begins: no time of it is used yet.
    pub const fn new_game(&mut self) {
        self.used = Duration::ZERO;
    }

    /// A search took this long.
    pub const fn spend(&mut self, time: Duration) {
        self.used = self.used.saturating_add(time);
    }

    /// The bounds of a search whose clock began at `started`.
    pub fn limits(&self, started: Instant) -> Limits {
        Limits {
            started,
            turn: self.turn(),
            match_left: self.match_left(),
            max_depth: self.max_depth,
            max_nodes: self.max_nodes,
            ..Limits::unlimited()
        }
    }

    fn turn(&self) -> Option<Duration> {
        match self.turn_ms {
            Some(ms) => u64::try_from(ms).ok().map(Duration::from_millis),
            None if self.max_nodes.is_some() || self.max_depth.is_some() => None,
            None => Some(DEFAULT_TURN),
        }
    }

    /// What is left of the game's time: as last told, else counted by us.
    fn match_left(&self) -> Option<Duration> {
        let total = match (self.left_ms, self.match_ms) {
            (Some(left), _) if left >= ENDLESS_MS => return None,
            (Some(left), _) => u64::try_from(left).unwrap_or(0),
            (None, Some(total)) => u64::try_from(total).ok().filter(|&ms| ms > 0)?,
            (None, None) => return None,
        };
        Some(Duration::from_millis(total).saturating_sub(self.used))
    }

    /// One thread for every processor; in a tournament one processor is left
    /// to the manager and the opponent.
    fn default_threads(&self) -> usize {
        let all = Options::default().threads;
        if self.is_tournament { all - 1 } else { all }
    }

    /// The options of the engine.
    pub fn options(&self) -> Options {
        let named = self.memory_bytes.filter(|&bytes| bytes > 0);
        Options {
            threads: self
                .threads
                .or(self.settings.threads)
                .unwrap_or_else(|| self.default_threads())
                .max(1),
            memory_bytes: [named, self.settings.memory_bytes]
                .into_iter()
                .flatten()
                .min(),
            hash_bytes: self.hash_bytes,
            evaluation: self.settings.evaluation,
        }
    }
}

/// `INFO game_type` of a tournament.
const TOURNAMENT: i64 = 2;

/// The rule of a code, and whether the game goes on after a win.
fn rule(code: i64, is_yixin: bool) -> Option<(Rule, bool)> {
    let code = u32::try_from(code).ok()?;
    match code {
        2 if is_yixin => Some((Rule::Renju, false)),
        5 | 6 if is_yixin => Some((Rule::Freestyle, false)),
        _ => {
            let rule = Rule::from_code(code & !CONTINUOUS_BIT)?;
            Some((rule, code & CONTINUOUS_BIT != 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(settings: &[Setting]) -> Preferences {
        let mut preferences = Preferences::default();
        for setting in settings {
            preferences.set(setting, false).unwrap();
        }
        preferences
    }

    fn bounds(settings: &[Setting]) -> (Option<u64>, Option<u64>) {
        let limits = after(settings).limits(Instant::now());
        let ms = |time: Option<Duration>| time.map(|t| t.as_millis() as u64);
        (ms(limits.turn), ms(limits.match_left))
    }

    #[test]
    fn rule_codes() {
        use Rule::{Caro, CaroExact, Freestyle, Renju, Standard};
        let plain = [
            Some((Freestyle, false)),
            Some((Standard, false)),
            Some((Freestyle, true)),
            Some((Standard, true)),
            Some((Renju, false)),
            None,
            Some((Renju, true)),
            None,
            Some((Caro, false)),
            Some((CaroExact, false)),
            Some((Caro, true)),
            Some((CaroExact, true)),
            None,
        ];
        for (code, expected) in (0..).zip(plain) {
            assert_eq!(rule(code, false), expected, "{code}");
            let expected = match code {
                2 => Some((Renju, false)),
                5 | 6 => Some((Freestyle, false)),
                _ => expected,
            };
            assert_eq!(rule(code, true), expected, "{code} of Yixin");
        }
        assert_eq!(rule(-1, false), None);
        assert_eq!(rule(i64::MAX, false), None);
    }

    #[test]
    fn an_unknown_rule_changes_nothing() {
        let mut preferences = after(&[Setting::RuleCode(4)]);
        let error = preferences.set(&Setting::RuleCode(99), false).unwrap_err();
        assert_eq!(error, SettingError::UnknownRule(99));
        assert_eq!(preferences.rule(), Rule::Renju);
    }

    #[test]
    fn turn_time() {
        use Setting::{MaxDepth, MaxNodes, TurnTime};
        assert_eq!(bounds(&[]), (Some(5_000), None));
        assert_eq!(bounds(&[TurnTime(0)]), (Some(0), None));
        assert_eq!(bounds(&[TurnTime(-1)]), (None, None));
        assert_eq!(bounds(&[TurnTime(700)]), (Some(700), None));
        assert_eq!(bounds(&[MaxNodes(Some(9))]), (None, None));
        assert_eq!(bounds(&[MaxDepth(Some(9))]), (None, None));
        assert_eq!(
            bounds(&[MaxNodes(Some(9)), MaxNodes(None)]),
            (Some(5_000), None)
        );
        assert_eq!(bounds(&[MaxDepth(Some(9)), TurnTime(10)]), (Some(10), None));
    }

    #[test]
    fn match_time() {
        use Setting::{MatchTime, TimeLeft};
        let left = |settings: &[Setting]| bounds(settings).1;
        assert_eq!(left(&[MatchTime(0)]), None);
        assert_eq!(left(&[MatchTime(60_000)]), Some(60_000));
        assert_eq!(left(&[TimeLeft(300), MatchTime(60_000)]), Some(300));
        assert_eq!(left(&[MatchTime(60_000), TimeLeft(0)]), Some(0));
        assert_eq!(left(&[TimeLeft(-700)]), Some(0));
        assert_eq!(left(&[MatchTime(60_000), TimeLeft(2_147_483_647)]), None);
        assert_eq!(left(&[TimeLeft(2_147_483_646)]), Some(2_147_483_646));
    }

    #[test]
    fn used_time_counts_until_told_otherwise() {
        let mut preferences = after(&[Setting::MatchTime(1_000)]);
        let left = |p: &Preferences| p.match_left().unwrap().as_millis();
        preferences.spend(Duration::from_millis(400));
        assert_eq!(left(&preferences), 600);
        preferences.spend(Duration::from_millis(4_000));
        assert_eq!(left(&preferences), 0);
        preferences.new_game();
        assert_eq!(left(&preferences), 1_000);
        preferences.spend(Duration::from_millis(1));
        preferences.set(&Setting::TimeLeft(70), false).unwrap();
        assert_eq!(left(&preferences), 70);
    }

    #[test]
    fn a_tournament_leaves_one_processor() {
        let all = std::thread::available_parallelism().unwrap().get();
        let threads = |settings: &[Setting]| after(settings).options().threads;
        assert_eq!(threads(&[]), all);
        assert_eq!(threads(&[Setting::GameType(1)]), all);
        let in_tournament = threads(&[Setting::GameType(2)]);
        assert_eq!(in_tournament, (all - 1).max(1));
        assert_eq!(threads(&[Setting::GameType(2), Setting::Threads(5)]), 5);
    }

    #[test]
    fn a_level_does_not_ponder() {
        let ponders = |settings: &[Setting]| after(settings).ponders();
        assert!(!ponders(&[]));
        assert!(ponders(&[Setting::Pondering(true)]));
        let level = Setting::Level(Level::new(9));
        assert!(!ponders(&[Setting::Pondering(true), level]));
    }

    #[test]
    fn seeds_differ_unless_one_is_given() {
        let mut preferences = Preferences::default();
        assert_ne!(preferences.seed(), preferences.seed());
        preferences.settings.seed = Some(7);
        assert_eq!([preferences.seed(), preferences.seed()], [7, 7]);
        preferences.set(&Setting::Seed(-1), false).unwrap();
        assert_eq!(preferences.seed(), u64::MAX);
    }

    #[test]
    fn options_heed_both_sides() {
        let command_line = Settings {
            threads: Some(3),
            memory_bytes: Some(1_000),
            ..Settings::default()
        };
        let mut preferences = Preferences::new(command_line);
        assert_eq!(preferences.options().threads, 3);
        assert_eq!(preferences.options().memory_bytes, Some(1_000));
        for (bytes, expected) in [(0, 1_000), (5_000, 1_000), (500, 500)] {
            preferences.set(&Setting::MaxMemory(bytes), false).unwrap();
            assert_eq!(preferences.options().memory_bytes, Some(expected));
        }
        preferences.set(&Setting::Threads(u32::MAX), false).unwrap();
        preferences.set(&Setting::HashSize(64), false).unwrap();
        assert_eq!(preferences.options().threads, MAX_THREADS);
        assert_eq!(preferences.options().hash_bytes, Some(65_536));
        preferences
            .set(&Setting::HashSize(u64::MAX), false)
            .unwrap();
        assert_eq!(preferences.options().hash_bytes, Some(1 << 32));
        let unbounded = after(&[Setting::MaxMemory(0)]);
        assert_eq!(unbounded.options().memory_bytes, None);
    }
}
