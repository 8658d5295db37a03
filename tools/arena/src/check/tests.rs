//! The runner against shell scripts that play engines, good and bad.

use super::*;

/// Every built-in transcript can be read, and there are many.
#[test]
fn built_in_transcripts_are_read() {
    let mut count = 0;
    for (name, text) in embedded() {
        let transcript = Transcript::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
        assert!(!transcript.steps.is_empty(), "{name}");
        assert!(!transcript.about.is_empty(), "{name}");
        count += 1;
    }
    assert!(count >= 40, "{count}");
}

#[cfg(unix)]
mod shell {
    use super::*;
    use crate::process::Launch;
    use std::time::Duration;

    /// Runs a transcript against a shell script.
    fn check(script: &str, transcript: &str) -> Option<Finding> {
        let launch = Launch {
            words: ["sh", "-c", script].map(str::to_owned).to_vec(),
            directory: None,
        };
        let transcript = Transcript::parse("test", transcript).unwrap();
        run(&transcript, &launch, Check::default()).unwrap()
    }

    /// An engine that knows three commands.
    const GOOD: &str = r#"
    while read -r line; do
        line=$(printf '%s' "$line" | tr -d '\r')
        case "$line" in
            START*) echo OK ;;
            TURN*) echo "MESSAGE thinking" ; echo 3,4 ;;
            SLOW*) sleep 0.4 ; echo 5,5 ;;
            TWICE*) echo 6,6 ; echo 6,7 ;;
            BAD*) echo "oops" >&2 ;;
            DIE*) exit 3 ;;
            END*) exit 0 ;;
        esac
    done"#;

    #[test]
    fn a_good_engine_passes() {
        let transcript = "> START 15\n< OK\n! none 50\n! eol lf\n> TURN 7,7\n< (?!7,7$){M15}\n\
                      << MESSAGE th.*\n> TURN {LAST}\n! max 2000\n< 3,4\n! alive\n\
                      ! raw TUR\n! raw N 1,1\\r\\n\n< 3,4\n! skip 6,7\n> TWICE\n< 6,6\n! none 50\n\
                      ! sigstop\n> TURN 2,2\n! none 100\n! sigcont\n< 3,4\n! uss 300\n> END\n! exit 2000";
        assert_eq!(check(GOOD, transcript), None);
        assert_eq!(check(GOOD, "> START 15\n< OK\n! eof\n! exit 2000"), None);
        assert_eq!(check(GOOD, "! long 20000 A\n> START 9\n< OK"), None);
    }

    #[test]
    fn every_trouble_is_told_apart() {
        for (transcript, line, trouble) in [
            ("> NOTHING\n! max 60\n< {M15}", 3, Trouble::NoAnswer(60)),
            ("> TURN 1,1\n< 9,9", 2, Trouble::Wrong("3,4".to_owned())),
            ("> DIE\n< 9,9", 2, Trouble::Ended),
            ("> DIE\n! wait 200\n! alive", 3, Trouble::Ended),
            ("> TWICE\n< 6,6", 0, Trouble::Unasked("6,7".to_owned())),
            (
                "> TWICE\n< 6,6\n! none 90",
                3,
                Trouble::Unasked("6,7".to_owned()),
            ),
            ("> TURN 1,1\n! max 90\n<< MESSAGE x", 3, Trouble::NoMessage),
            ("> START 5\n< OK\n! exit 80", 3, Trouble::StillRunning(80)),
            // The error output is where answers are, as under Piskvork.
            ("> BAD\n! none 500", 2, Trouble::Unasked("oops".to_owned())),
        ] {
            let finding = check(GOOD, transcript).unwrap_or_else(|| panic!("{transcript} passed"));
            assert_eq!(
                (finding.line, &finding.trouble),
                (line, &trouble),
                "{transcript}"
            );
            assert!(!finding.consequence.is_empty());
        }
        let late = check(GOOD, "> SLOW\n! wait 500\n! max 100\n< 5,5").unwrap();
        assert!(
            matches!(late.trouble, Trouble::Late(400..2000, 100)),
            "{late:?}"
        );
        assert_eq!(late.dialogue, ["> SLOW", "< 5,5"]);
    }

    #[test]
    fn slack_is_given_to_slow_machines() {
        let launch = Launch {
            words: ["sh", "-c", GOOD].map(str::to_owned).to_vec(),
            directory: None,
        };
        let transcript = Transcript::parse("test", "> SLOW\n! max 100\n< 5,5").unwrap();
        let slack = Duration::from_secs(5);
        assert_eq!(run(&transcript, &launch, Check { slack }).unwrap(), None);
    }

    #[test]
    fn a_missing_program_is_an_error() {
        let transcript = Transcript::parse("test", "> START 15\n< OK").unwrap();
        for word in ["/no/such/engine", "no-such-engine"] {
            let launch = Launch {
                words: vec![word.to_owned()],
                directory: None,
            };
            let error = run(&transcript, &launch, Check::default()).unwrap_err();
            assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
        }
    }
}
