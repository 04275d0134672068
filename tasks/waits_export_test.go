package tasks

// WaitsSQL is the statement of Waits.
var WaitsSQL = waitsSQL
