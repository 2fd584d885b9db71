//! A space whose successors cost next to nothing, so that the search itself is measured.

use std::convert::Infallible;

use explore::{Space, Standing, Successors};

/// `WIDTH` counters in a row; a step increments one of them, until they sum up to `SUM`. Each state is reached in as many
/// ways as it has counters above zero.
#[derive(Clone)]
pub struct Counters<const WIDTH: usize, const SUM: u8>;

impl<const WIDTH: usize, const SUM: u8> Space for Counters<WIDTH, SUM> {
    type Fault = Infallible;

    fn initial(&mut self, found: &mut Successors) -> Result<(), Infallible> {
        found.push(0, 1, &[0; WIDTH]);
        Ok(())
    }

    fn expand(&mut self, state: &[u8], found: &mut Successors) -> Result<Standing, Infallible> {
        if state.iter().sum::<u8>() < SUM {
            for at in 0..WIDTH {
                let buffer = found.buffer();
                buffer.extend_from_slice(state);
                buffer[at] += 1;
                found.commit(at as u32, 1);
            }
        }
        Ok(Standing::Ended)
    }
}
