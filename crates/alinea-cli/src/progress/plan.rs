//! Work of many tasks as one: which were planned, and how far it is.
//!
//! Tasks cost more or less ([`Step::cost`]), so the share that is done is
//!
//! ```text
//! (cost of the tasks that have ended + cost of the task in hand × units that are done of it / its units) / cost of all
//! ```
//!
//! and the time that is left follows from it and from the time that it took. Tasks that nobody has planned count for
//! nothing.

use alinea::progress::Step;

/// So many positions has a bar for each unit of cost.
const POSITIONS: u64 = 1000;

/// Tasks that were planned.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Those that have not begun.
    left: Vec<Step>,
    /// What the task in hand costs, if it was planned.
    running: Option<u64>,
    /// How many have begun.
    begun: usize,
    /// What those cost that have ended.
    ended: u64,
}

impl Plan {
    /// Takes tasks that are to come, each once.
    pub(super) fn add(&mut self, steps: &[Step]) {
        for step in steps {
            if !self.left.iter().any(|other| other.task == step.task) {
                self.left.push(step.clone());
            }
        }
    }

    /// A task begins: its number, from 1, and how many there are, if it was planned.
    pub(super) fn begin(&mut self, task: &str) -> Option<[usize; 2]> {
        let place = self.left.iter().position(|step| step.task == task)?;
        self.end();
        self.running = Some(self.left.remove(place).cost);
        self.begun += 1;
        Some([self.begun, self.begun + self.left.len()])
    }

    /// The task in hand is done.
    pub(super) fn end(&mut self) {
        self.ended += self.running.take().unwrap_or(0);
    }

    /// Whether all that was planned is done.
    pub(super) fn is_over(&self) -> bool {
        self.left.is_empty() && self.running.is_none()
    }

    /// The length of a bar for all tasks.
    pub(super) fn length(&self) -> u64 {
        let left: u64 = self.left.iter().map(|step| step.cost).sum();
        (self.ended + self.running.unwrap_or(0) + left) * POSITIONS
    }

    /// Where such a bar stands when so many units of the task in hand are done.
    pub(super) fn position(&self, done: u64, units: u64) -> u64 {
        let running = self.running.unwrap_or(0) * POSITIONS;
        self.ended * POSITIONS + (running * done.min(units)).checked_div(units).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_count_by_what_they_cost() {
        let mut plan = Plan::default();
        plan.add(&[Step::new("Model 1 1/1", 1), Step::new("HMM 1/1", 4)]);
        plan.add(&[Step::new("HMM 1/1", 4), Step::new("aligning", 3)]);
        assert_eq!(plan.length(), 8 * POSITIONS, "a task that is planned twice is one task");
        let share = |plan: &Plan, done, units| plan.position(done, units) as f64 / plan.length() as f64;
        assert_eq!(plan.begin("Model 1 1/1"), Some([1, 3]));
        assert!((share(&plan, 25, 50) - 0.5 / 8.0).abs() < 1e-9);
        plan.end();
        assert!((share(&plan, 0, 0) - 1.0 / 8.0).abs() < 1e-9);
        assert_eq!(plan.begin("indexing word pairs"), None);
        assert_eq!(plan.begin("HMM 1/1"), Some([2, 3]));
        assert!((share(&plan, 10, 40) - 2.0 / 8.0).abs() < 1e-9);
        assert!((share(&plan, 90, 40) - 5.0 / 8.0).abs() < 1e-9, "a task does not take more than was said");
        assert!(!plan.is_over());
        // A task may begin when another has not been told to be done.
        assert_eq!(plan.begin("aligning"), Some([3, 3]));
        assert!((share(&plan, 1, 2) - 6.5 / 8.0).abs() < 1e-9);
        plan.end();
        assert!(plan.is_over());
        assert_eq!(plan.position(0, 0), plan.length());
    }

    #[test]
    fn tasks_that_are_planned_later_make_the_whole_longer() {
        let mut plan = Plan::default();
        plan.add(&[Step::new("aligning", 4)]);
        plan.add(&[Step::new("HMM 1/2", 4), Step::new("HMM 2/2", 4)]);
        assert_eq!(plan.begin("HMM 1/2"), Some([1, 3]));
        plan.add(&[Step::new("subwords 1/3, HMM 1/2", 8)]);
        assert_eq!(plan.length(), 20 * POSITIONS);
        assert_eq!(plan.begin("subwords 1/3, HMM 1/2"), Some([2, 4]));
        assert_eq!(plan.position(1, 2), 8 * POSITIONS);
    }
}
