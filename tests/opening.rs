//! Opening procedures: at each step what is allowed and what is not.

use yonsan::board::Colour::{Black, White};
use yonsan::board::{Point, Size, parse_moves};
use yonsan::rules::opening::{
    Act, Area, Demand, Opening, OpeningError, Procedure, Seat, are_symmetric,
};

fn size(side: u8) -> Size {
    Size::square(side).unwrap()
}

fn point(text: &str) -> Point {
    text.parse().unwrap()
}

fn place(text: &str) -> Act {
    Act::Place(parse_moves(text).unwrap())
}

fn offer(text: &str) -> Act {
    Act::Offer(parse_moves(text).unwrap())
}

/// An opening on 15x15 after some acts, all allowed.
fn after(procedure: Procedure, acts: &[Act]) -> Opening {
    let mut opening = Opening::new(procedure, size(15)).unwrap();
    for act in acts {
        assert_eq!(opening.apply(act), Ok(()), "{procedure}: {act:?}");
    }
    opening
}

/// The act is refused with this text, and nothing changes.
fn refused(opening: &Opening, act: &Act, text: &str) {
    let mut copy = opening.clone();
    let error = copy.apply(act).expect_err("an act that must be refused");
    assert_eq!(error.to_string(), text, "{act:?}");
    assert_eq!(&copy, opening);
}

/// Who is to act, with which colour.
fn actor(opening: &Opening) -> (Seat, yonsan::board::Colour) {
    let seat = opening.actor().expect("an opening that is not finished");
    (seat, opening.colour_of(seat))
}

/// The opening is over and Black belongs to this player.
fn ends(opening: &Opening, black: Seat, stones: usize) {
    assert!(opening.is_finished());
    assert_eq!(opening.actor(), None);
    assert!(opening.demands().is_empty());
    assert_eq!(opening.seat_of(Black), black);
    assert_eq!(opening.seat_of(White), !black);
    assert_eq!(opening.position().stones().len(), stones);
    refused(opening, &place("a1"), "the opening is finished");
}

#[test]
fn free_has_no_procedure() {
    ends(&after(Procedure::Free, &[]), Seat::First, 0);
}

#[test]
fn pro_keeps_black_outside_the_central_5x5() {
    let begin = after(Procedure::Pro, &[]);
    assert_eq!(actor(&begin), (Seat::First, Black));
    refused(&begin, &place("h9"), "h9 is not in the centre");
    refused(&begin, &place("h8h9"), "1 stones are wanted, not 2");
    let second = after(Procedure::Pro, &[place("h8")]);
    assert_eq!(actor(&second), (Seat::Second, White));
    refused(&second, &place("h8"), "h8 is taken");
    refused(&second, &place("p8"), "p8 is outside the board");
    let third = after(Procedure::Pro, &[place("h8"), place("a1")]);
    assert_eq!(actor(&third), (Seat::First, Black));
    for text in ["j8", "f6", "h10", "j10"] {
        let reason = format!("{text} is not outside the central 5x5 points");
        refused(&third, &place(text), &reason);
    }
    refused(
        &third,
        &Act::Choose(White),
        "now put a stone outside the central 5x5 points",
    );
    for text in ["k8", "e6", "h11", "h5", "o15"] {
        let done = after(Procedure::Pro, &[place("h8"), place("a1"), place(text)]);
        ends(&done, Seat::First, 3);
    }
}

#[test]
fn long_pro_keeps_black_outside_the_central_7x7() {
    let third = after(Procedure::LongPro, &[place("h8"), place("i9")]);
    for text in ["k8", "e5", "h11"] {
        let reason = format!("{text} is not outside the central 7x7 points");
        refused(&third, &place(text), &reason);
    }
    let done = after(Procedure::LongPro, &[place("h8"), place("i9"), place("l8")]);
    ends(&done, Seat::First, 3);
    assert_eq!(done.position().side_to_move(), White);
}

#[test]
fn swap_first_lets_the_second_choose_after_one_stone() {
    let begin = after(Procedure::SwapFirst, &[]);
    refused(&begin, &Act::Choose(Black), "now put a stone");
    let choice = after(Procedure::SwapFirst, &[place("c3")]);
    assert_eq!(actor(&choice), (Seat::Second, White));
    refused(&choice, &place("c4"), "now choose a colour");
    for (colour, black) in [(Black, Seat::Second), (White, Seat::First)] {
        ends(
            &after(Procedure::SwapFirst, &[place("c3"), Act::Choose(colour)]),
            black,
            1,
        );
    }
}

#[test]
fn swap_has_no_third_way() {
    let begin = after(Procedure::Swap, &[]);
    refused(&begin, &place("h8i9"), "3 stones are wanted, not 2");
    refused(&begin, &place("h8i9h8"), "h8 is taken");
    let choice = after(Procedure::Swap, &[place("a1h8o15")]);
    assert_eq!(actor(&choice), (Seat::Second, White));
    refused(&choice, &place("b1b2"), "now choose a colour");
    for (colour, black) in [(Black, Seat::Second), (White, Seat::First)] {
        let done = after(Procedure::Swap, &[place("a1h8o15"), Act::Choose(colour)]);
        ends(&done, black, 3);
        assert_eq!(done.position().side_to_move(), White);
    }
}

#[test]
fn swap2_has_three_ways() {
    let choice = after(Procedure::Swap2, &[place("h8i9j7")]);
    assert_eq!(actor(&choice), (Seat::Second, White));
    refused(&choice, &place("a1"), "2 stones are wanted, not 1");
    refused(&choice, &place("a1i9"), "i9 is taken");
    refused(
        &choice,
        &Act::Pick(point("a1")),
        "now choose a colour, or put 2 stones",
    );
    for (colour, black) in [(Black, Seat::Second), (White, Seat::First)] {
        ends(
            &after(Procedure::Swap2, &[place("h8i9j7"), Act::Choose(colour)]),
            black,
            3,
        );
    }
    let five = after(Procedure::Swap2, &[place("h8i9j7"), place("g7k9")]);
    assert_eq!(actor(&five).0, Seat::First);
    refused(&five, &place("a1b1"), "now choose a colour");
    for (colour, black) in [(Black, Seat::First), (White, Seat::Second)] {
        let acts = [place("h8i9j7"), place("g7k9"), Act::Choose(colour)];
        let done = after(Procedure::Swap2, &acts);
        ends(&done, black, 5);
        assert_eq!(done.position().cell(point("g7")), White.into());
        assert_eq!(done.position().cell(point("k9")), Black.into());
    }
}

/// The figure is in every book: 13 direct and 13 indirect openings.
#[test]
fn renju_has_26_openings() {
    let board = size(15);
    let begin = after(Procedure::Rif, &[]);
    let mut kinds: Vec<(Opening, Point)> = Vec::new();
    let mut count = 0;
    for second in board.points() {
        for third in board.points() {
            let act = Act::Place(vec![board.centre(), second, third]);
            let mut opening = begin.clone();
            if opening.apply(&act).is_err() {
                continue;
            }
            count += 1;
            // The same opening if a symmetry brings the stones onto those.
            let is_known = kinds.iter().any(|(kind, its_third)| {
                yonsan::board::Symmetry::all(board).any(|symmetry| {
                    let other = kind.position().stones()[1].point;
                    symmetry.apply(second, board) == other
                        && symmetry.apply(third, board) == *its_third
                })
            });
            if !is_known {
                kinds.push((opening, third));
            }
        }
    }
    assert_eq!(count, 8 * 23);
    assert_eq!(kinds.len(), 26);
}

#[test]
fn rif_begins_with_one_of_the_26_openings() {
    let begin = after(Procedure::Rif, &[]);
    refused(&begin, &place("h9h8h10"), "h9 is not in the centre");
    refused(
        &begin,
        &place("h8h10h9"),
        "h10 is not inside the central 3x3 points",
    );
    refused(
        &begin,
        &place("h8h9h11"),
        "h11 is not inside the central 5x5 points",
    );
}

#[test]
fn rif_offers_two_fifth_moves() {
    // A direct opening whose stones all stand in the h column.
    let swapped = after(Procedure::Rif, &[place("h8h9h10"), Act::Choose(Black)]);
    assert_eq!(actor(&swapped), (Seat::First, White));
    let stayed = after(Procedure::Rif, &[place("h8h9h10"), Act::Choose(White)]);
    assert_eq!(actor(&stayed), (Seat::Second, White));
    refused(&stayed, &place("h9"), "h9 is taken");
    refused(&stayed, &Act::Choose(Black), "now put a stone");
    let acts = [place("h8h9h10"), Act::Choose(White), place("h7")];
    let four = after(Procedure::Rif, &acts);
    assert_eq!(actor(&four), (Seat::First, Black));
    refused(&four, &offer("g9i9"), "g9 and i9 are the same by symmetry");
    refused(&four, &offer("g9g9"), "g9 is taken");
    refused(&four, &offer("g9h7"), "h7 is taken");
    refused(&four, &offer("g9"), "2 stones are wanted, not 1");
    refused(&four, &place("g9"), "now offer 2 fifth moves");
    let mut five = four;
    five.apply(&offer("g9i10")).unwrap();
    assert_eq!(actor(&five), (Seat::Second, White));
    assert_eq!(five.offers(), parse_moves("g9i10").unwrap());
    assert_eq!(five.position().stones().len(), 4);
    refused(&five, &Act::Pick(point("g10")), "g10 was not offered");
    refused(&five, &Act::Choose(White), "now choose a fifth move");
    five.apply(&Act::Pick(point("i10"))).unwrap();
    ends(&five, Seat::First, 5);
    assert_eq!(five.position().cell(point("i10")), Black.into());
    assert!(five.position().is_empty(point("g9")));
}

#[test]
fn soosorv_lets_white_say_how_many_fifth_moves() {
    let acts = [place("h8i9j10"), Act::Choose(White), place("g7")];
    let four = after(Procedure::Soosorv, &acts);
    assert_eq!(actor(&four), (Seat::Second, White));
    for count in [0, 9, 300] {
        let text = format!("1 to 8 fifth moves can be asked for, not {count}");
        refused(&four, &Act::FifthCount(count), &text);
    }
    refused(&four, &offer("a1"), "now say how many fifth moves, 1 to 8");
    let mut named = four;
    named.apply(&Act::FifthCount(3)).unwrap();
    assert_eq!(actor(&named), (Seat::First, Black));
    refused(&named, &offer("a1b1c1"), "now choose a colour");
    let mut swapped = named.clone();
    swapped.apply(&Act::Choose(White)).unwrap();
    assert_eq!(actor(&swapped), (Seat::Second, Black));
    named.apply(&Act::Choose(Black)).unwrap();
    assert_eq!(actor(&named), (Seat::First, Black));
    assert_eq!(named.demands(), [Demand::Offer(3)]);
    refused(&named, &offer("a1b1"), "3 stones are wanted, not 2");
    // All four stones stand on the long diagonal.
    refused(
        &named,
        &offer("a3f9c1"),
        "a3 and c1 are the same by symmetry",
    );
    named.apply(&offer("a3f9k11")).unwrap();
    assert_eq!(actor(&named), (Seat::Second, White));
    named.apply(&Act::Pick(point("k11"))).unwrap();
    ends(&named, Seat::First, 5);
}

#[test]
fn soosorv_takes_one_and_eight_fifth_moves() {
    for (count, moves) in [(1, "i10"), (8, "i10a1b1c1d1e1f1k8")] {
        let done = after(
            Procedure::Soosorv,
            &[
                place("h8i9j10"),
                Act::Choose(Black),
                place("g7"),
                Act::FifthCount(count),
                Act::Choose(Black),
                offer(moves),
                Act::Pick(point("i10")),
            ],
        );
        // White, the first player, named; Black, the second, stayed.
        ends(&done, Seat::Second, 5);
    }
}

/// Taraguchi up to the fourth stone, nobody swapping.
fn taraguchi() -> Vec<Act> {
    vec![
        place("h8"),
        Act::Choose(White),
        place("i9"),
        Act::Choose(Black),
        place("j10"),
        Act::Choose(White),
        place("k11"),
    ]
}

#[test]
fn taraguchi_widens_the_square_and_swaps_between() {
    let places = [
        (0, "h9", "h9 is not in the centre"),
        (2, "h10", "h10 is not inside the central 3x3 points"),
        (4, "h11", "h11 is not inside the central 5x5 points"),
        (6, "h12", "h12 is not inside the central 7x7 points"),
    ];
    let acts = taraguchi();
    for (index, bad, text) in places {
        let before = after(Procedure::Taraguchi, &acts[..index]);
        let mover = if index % 4 == 0 {
            (Seat::First, Black)
        } else {
            (Seat::Second, White)
        };
        assert_eq!(actor(&before), mover);
        refused(&before, &place(bad), text);
        refused(
            &before,
            &Act::Choose(Black),
            &format!("now {}", before.demands()[0]),
        );
        let choice = after(Procedure::Taraguchi, &acts[..=index]);
        assert_eq!(actor(&choice).0, !mover.0);
        // A swap gives the next stone to the player who has just put one.
        let mut swapped = choice.clone();
        swapped.apply(&Act::Choose(mover.1)).unwrap();
        assert_eq!(swapped.actor(), Some(mover.0));
    }
}

#[test]
fn taraguchi_first_way_is_a_fifth_stone_in_the_9x9() {
    let mut acts = taraguchi();
    acts.push(Act::Choose(Black));
    let stayed = after(Procedure::Taraguchi, &acts);
    assert_eq!(actor(&stayed), (Seat::First, Black));
    refused(
        &stayed,
        &place("h13"),
        "h13 is not inside the central 9x9 points",
    );
    refused(
        &stayed,
        &offer("a1"),
        "now put a stone inside the central 9x9 points",
    );
    acts.push(place("h12"));
    for (colour, black) in [(White, Seat::First), (Black, Seat::Second)] {
        let choice = after(Procedure::Taraguchi, &acts);
        assert_eq!(actor(&choice), (Seat::Second, White));
        let mut done = choice;
        done.apply(&Act::Choose(colour)).unwrap();
        ends(&done, black, 5);
    }
}

#[test]
fn taraguchi_second_way_is_ten_fifth_moves() {
    let four = after(Procedure::Taraguchi, &taraguchi());
    refused(
        &four,
        &place("h12"),
        "now choose a colour, or offer 10 fifth moves",
    );
    refused(&four, &offer("a1b1"), "10 stones are wanted, not 2");
    let mirrored = offer("a1b1c1d1e1f1g1h1i1a2");
    refused(&four, &mirrored, "b1 and a2 are the same by symmetry");
    let mut offered = four;
    offered.apply(&offer("a1b1c1d1e1f1g1h1i1j1")).unwrap();
    assert_eq!(actor(&offered), (Seat::Second, White));
    offered.apply(&Act::Pick(point("j1"))).unwrap();
    ends(&offered, Seat::First, 5);
}

#[test]
fn small_boards_are_refused() {
    let too_small = [
        (Procedure::Pro, 5),
        (Procedure::LongPro, 7),
        (Procedure::Taraguchi, 8),
    ];
    for (procedure, side) in too_small {
        let error = Opening::new(procedure, size(side)).unwrap_err();
        assert_eq!(error, OpeningError::SmallBoard);
        assert!(Opening::new(procedure, size(side + 1)).is_ok());
    }
    for procedure in [Procedure::Swap2, Procedure::Rif, Procedure::Soosorv] {
        assert!(Opening::new(procedure, size(5)).is_ok());
    }
}

/// Walks through every procedure on every size with the first act that is
/// allowed, and comes to an end.
#[test]
fn every_procedure_ends_on_every_size() {
    for side in 5..=22 {
        for procedure in Procedure::ALL {
            let Ok(mut opening) = Opening::new(procedure, size(side)) else {
                continue;
            };
            let mut steps = 0;
            while let Some(&demand) = opening.demands().last() {
                let act = first_act(&opening, demand);
                assert_eq!(opening.apply(&act), Ok(()), "{procedure} on {side}");
                steps += 1;
                assert!(steps < 20);
            }
            assert!(opening.is_finished());
        }
    }
}

fn first_act(opening: &Opening, demand: Demand) -> Act {
    let position = opening.position();
    let board = position.size();
    let free: Vec<Point> = position.empty_points().collect();
    match demand {
        Demand::Place(areas) => {
            let mut points: Vec<Point> = Vec::new();
            for area in areas {
                let fits = |p: &&Point| area.contains(board, **p) && !points.contains(p);
                points.push(*free.iter().find(fits).unwrap());
            }
            Act::Place(points)
        }
        Demand::Colour => Act::Choose(Black),
        Demand::FifthCount(most) => Act::FifthCount(most.into()),
        Demand::Offer(count) => {
            let mut points: Vec<Point> = Vec::new();
            for point in free {
                let is_new = !points.iter().any(|&p| are_symmetric(position, p, point));
                if is_new && points.len() < count.into() {
                    points.push(point);
                }
            }
            Act::Offer(points)
        }
        Demand::Pick => Act::Pick(opening.offers()[0]),
    }
}

#[test]
fn what_comes_next_is_told() {
    let begin = after(Procedure::Swap2, &[]);
    let three = begin.demands()[0];
    let two = Demand::Place(&[Area::Anywhere, Area::Anywhere]);
    assert_eq!(begin.demands_after(three), [Demand::Colour, two]);
    let choice = after(Procedure::Swap2, &[place("h8i9j7")]);
    assert_eq!(choice.demands_after(two), [Demand::Colour]);
    assert!(choice.demands_after(Demand::Colour).is_empty());
    assert!(choice.demands_after(Demand::Pick).is_empty());
}
