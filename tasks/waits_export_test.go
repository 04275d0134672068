package tasks

// WaitsSQL and FirstAheadSQL are the statements of Waits and FirstAhead.
var WaitsSQL, FirstAheadSQL = waitsSQL, firstAheadSQL
