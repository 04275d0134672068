// Package web is Rollcall's HTTP side: the API that frontends poll and the
// pages that people see.
//
// It promises what the contract says, path by path and field by field; that an
// answer 202 means the upload is stored and the task committed; and that every
// fault is a problem document in plain words, without a stack, a query or a
// path of this machine.
//
// It is the only package that knows Gin. It runs no job: it writes to the
// ledger and rings the bell of those who do.
package web
