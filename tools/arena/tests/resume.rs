//! Kills, interrupts, resumes and shards: every game is counted once.

mod common;

use arena::record::GameRecord;
use common::{Bench, games_of, mock, text};

fn numbers(games: &[GameRecord]) -> Vec<u64> {
    games.iter().map(|game| game.number).collect()
}

/// Signals, and a look at the processes that are left.
#[cfg(target_os = "linux")]
mod kills {
    use super::*;
    use common::{events_of, processes_with, wait_until};
    use std::collections::BTreeSet;
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    const GAMES: usize = 500;

    fn start_event(bench: &Bench, mark: &str, think: &str, games: &str) -> Child {
        let options = |row| format!("--row {row} --think-ms {think} {mark}");
        let (one, two) = (mock("one", &options(3)), mock("two", &options(9)));
        let words = [
            "match", "-e", &one, "-e", &two, "--turn", "5", "--games", games, "-c", "3",
        ];
        let mut command = bench.command(&words);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    fn line_count(bench: &Bench) -> usize {
        let text = std::fs::read_to_string(bench.path("arena.jsonl")).unwrap_or_default();
        text.matches('\n').count()
    }

    fn signal(child: &Child, name: &str) {
        let status = Command::new("kill")
            .arg(name)
            .arg(child.id().to_string())
            .status();
        assert!(status.unwrap().success());
    }

    /// Kill -9 twice in the middle of 500 games; what was finished stays, the
    /// rest is played, and no engine outlives the arena.
    #[test]
    fn kills_lose_at_most_the_running_games() {
        let bench = Bench::new();
        let mark = "--seed 77002";
        let mut child = start_event(&bench, mark, "0", &GAMES.to_string());
        let mut before = BTreeSet::new();
        for part in [100, 250] {
            assert!(wait_until(|| line_count(&bench) > part), "too slow");
            child.kill().unwrap();
            child.wait().unwrap();
            assert!(
                wait_until(|| processes_with(mark).is_empty()),
                "{:?}",
                processes_with(mark)
            );
            let done = games_of(bench.records("arena.jsonl"));
            // A few lines are those of events.
            assert!((part - 3..GAMES).contains(&done.len()), "{}", done.len());
            let seen: BTreeSet<u64> = numbers(&done).into_iter().collect();
            assert_eq!(seen.len(), done.len());
            assert!(before.is_subset(&seen));
            before = seen;
            // A machine that goes down can leave half a line.
            let path = bench.path("arena.jsonl");
            let mut bytes = std::fs::read(&path).unwrap();
            bytes.extend_from_slice(b"{\"kind\":\"game\",\"numb");
            std::fs::write(&path, bytes).unwrap();
            let mut command = bench.command(&["resume", "arena.jsonl", "-c", "3"]);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            child = command.spawn().unwrap();
        }
        assert!(child.wait().unwrap().success());
        let games = bench.games();
        let all: Vec<u64> = (0..GAMES as u64).collect();
        assert_eq!(numbers(&games), all);
        let events = events_of(bench.records("arena.jsonl"));
        assert_eq!(events.len(), 3);
        assert!(events.iter().all(|event| event.config == events[0].config));
        // Nothing is left to do.
        let table = bench.run_well(&["resume", "arena.jsonl"]);
        assert!(table.contains("250-0-250"), "{table}");
        assert_eq!(bench.games().len(), GAMES);
    }

    #[test]
    fn an_interrupt_leaves_no_children_and_a_good_file() {
        for name in ["-INT", "-TERM"] {
            let bench = Bench::new();
            let mark = format!("--child --ignore-end --seed 77003{}", name.len());
            let mut child = start_event(&bench, &mark, "30", "200");
            assert!(wait_until(|| line_count(&bench) > 4), "too slow");
            assert!(!processes_with(&mark).is_empty());
            signal(&child, name);
            let code = child.wait().unwrap().code();
            assert_eq!(code, Some(3));
            assert!(wait_until(|| processes_with(&mark).is_empty()));
            let games = bench.games();
            assert!((4..200).contains(&games.len()), "{}", games.len());
        }
    }

    /// The engines are hung and stopped, as in cup mode between moves.
    #[test]
    fn an_interrupt_does_not_wait_for_hung_engines() {
        let bench = Bench::new();
        let mark = "--seed 77004";
        let hung = mock("hung", &format!("--fault hang {mark}"));
        let good = mock("good", mark);
        let words = ["match", "-e", &hung, "-e", &good, "--turn", "500", "--cup"];
        let mut command = bench.command(&words);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        assert!(wait_until(|| processes_with(mark).len() >= 3));
        std::thread::sleep(Duration::from_millis(300));
        signal(&child, "-INT");
        assert!(wait_until(|| child.try_wait().unwrap().is_some()), "hangs");
        assert!(wait_until(|| processes_with(mark).is_empty()));
        assert_eq!(bench.games().len(), 0);
    }
}

/// Plays one part of a tournament of 18 games into `part-I-N.jsonl`.
fn play_part(bench: &Bench, index: u64, count: u64) -> Vec<GameRecord> {
    let engines = [1, 2, 3].map(|seed| mock(&format!("mock{seed}"), &format!("--seed {seed}")));
    let openings = bench.write("openings.txt", "h8h9h10\nh8i9j10\nh8h9i10\n");
    let (part, name) = (
        format!("{index}/{count}"),
        format!("part-{index}-{count}.jsonl"),
    );
    let mut words = vec![
        "tournament",
        "--turn",
        "2",
        "--pairs",
        "3",
        "--order",
        "random",
    ];
    words.extend(["--openings", openings.to_str().unwrap()]);
    words.extend(["--shard", &part, "-o", &name]);
    for engine in &engines {
        words.extend(["-e", engine]);
    }
    bench.run_well(&words);
    games_of(bench.records(&name))
}

#[test]
fn shards_join_to_the_whole_event() {
    let bench = Bench::new();
    let whole = play_part(&bench, 1, 1);
    let mut joined = Vec::new();
    for index in 1..=3 {
        let games = play_part(&bench, index, 3);
        assert_eq!(games.len(), 6);
        assert!(games.iter().all(|game| game.pair % 3 == index - 1));
        let name = format!("part-{index}-3.jsonl");
        joined.extend(std::fs::read(bench.path(&name)).unwrap());
    }
    std::fs::write(bench.path("joined.jsonl"), joined).unwrap();
    let key = |g: &GameRecord| (g.number, g.pair, g.black, g.white, g.opening_source.clone());
    let joined = games_of(bench.records("joined.jsonl"));
    let keys: Vec<_> = joined.iter().map(key).collect();
    assert_eq!(keys, whole.iter().map(key).collect::<Vec<_>>());
    assert_eq!(numbers(&joined), (0..18).collect::<Vec<u64>>());
    // A joined file is complete; resuming it plays nothing.
    bench.run_well(&["resume", "joined.jsonl"]);
    assert_eq!(games_of(bench.records("joined.jsonl")).len(), 18);
}

#[test]
fn a_shard_that_is_resumed_stays_a_shard() {
    let bench = Bench::new();
    play_part(&bench, 2, 3);
    let path = bench.path("part-2-3.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let first_line = text.lines().next().unwrap();
    std::fs::write(&path, format!("{first_line}\n")).unwrap();
    bench.run_well(&["resume", "part-2-3.jsonl"]);
    let games = games_of(bench.records("part-2-3.jsonl"));
    assert_eq!(games.len(), 6);
    assert!(games.iter().all(|game| game.pair % 3 == 1));
}

#[test]
fn another_set_up_is_refused() {
    let bench = Bench::new();
    let (one, two) = (mock("one", "--row 3"), mock("two", "--row 9"));
    let base = ["match", "-e", &one, "-e", &two, "--turn", "1"];
    bench.run_well(&base);
    let refused = |more: &[&str], word: &str| {
        let mut words = base.to_vec();
        words.extend(more);
        let output = bench.run(&words);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(word), "{errors}");
    };
    refused(&[], "arena resume");
    refused(&["--resume", "--seed", "2"], "another event");
    refused(&["--resume", "--rule", "renju"], "another event");
    let mut same = base.to_vec();
    same.push("--resume");
    bench.run_well(&same);
    assert_eq!(bench.games().len(), 2);
    // Another version of the arena.
    let path = bench.path("arena.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let own = format!("\"arena\":\"{}\"", arena::VERSION);
    std::fs::write(&path, text.replace(&own, "\"arena\":\"0.0.0\"")).unwrap();
    let output = bench.run(&["resume", "arena.jsonl"]);
    assert_eq!(output.status.code(), Some(2));
}

/// Openings that were changed in the meantime would make pairs that never met.
#[test]
fn changed_openings_stop_a_resume() {
    let bench = Bench::new();
    let openings = bench.write("o.txt", "h8h9h10\nh8i9j10\n");
    let (one, two) = (mock("one", "--row 3"), mock("two", "--row 9"));
    let path = openings.to_str().unwrap();
    bench.run_well(&[
        "match",
        "-e",
        &one,
        "-e",
        &two,
        "--turn",
        "1",
        "--openings",
        path,
    ]);
    bench.write("o.txt", "# a comment is no change\nh8h9h10\nh8i9j10\n");
    bench.run_well(&["resume", "arena.jsonl"]);
    bench.write("o.txt", "h8h9h10\nh8i9j11\n");
    let output = bench.run(&["resume", "arena.jsonl"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("not those the event began with"));
}
