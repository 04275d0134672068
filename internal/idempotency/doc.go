// Package idempotency stores requests by the idempotency key of their sender, so that a repeated request
// gets the stored response without a second effect.
//
// A process claims an idempotency key before it does the work, and renews the claim until the work is
// done. Only one process at a time has the claim. A claim may hold three facts during the work.
// Claim.Ref names the result, Seal stores the fingerprint of the request, and Mark stores a text in the
// transaction of the effect itself. A process that takes the claim over after a crash reads these facts,
// and can thereby determine whether the effect happened. A claim that was taken over can no longer be
// used for Seal, Mark or Keep.
//
// The package uses the ledger, and does not depend on HTTP: its caller defines requests and responses.
package idempotency
