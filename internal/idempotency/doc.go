// Package idempotency remembers requests by the key that their sender gave
// them, so that a request that is sent again is answered, not done, again.
//
// A key is claimed before the work, by one process at a time, for as long as
// that process renews it. Three things may lie in the claim while the work goes
// on: a name for what is made (Claim.Ref), the fingerprint of the request
// (Seal), and a mark that is written in the transaction of the effect itself
// (Mark). Who takes the claim over after a crash finds them, and can tell what
// was done from what was not. It promises that a claim that was taken over
// seals, marks and keeps nothing any more.
//
// It knows the ledger, and nothing about HTTP: what a request is and what an
// answer means is up to its user.
package idempotency
