package notify

// DueSQL and SourcesSQL are the statements that find deliveries and notifications.
var DueSQL, SourcesSQL = dueSQL, sourcesSQL
