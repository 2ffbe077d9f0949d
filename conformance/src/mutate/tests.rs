//! Every kind of mutant is made, and a hole in the plan is found.
