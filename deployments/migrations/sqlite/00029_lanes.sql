-- 00029_lanes: the feeder reads the next tasks of a lane by an index.
--
-- Forward only. Safe while the previous version runs: feeders and sweepers fill what that
-- version leaves out.

-- +goose Up

-- The rows of one tenant and kind share a window and are fed in one order.
--   pushed       rows that were pushed so far and noted
--   claim_until  0 once a feeder has noted its push
--   claimed      numbers of the tasks of the claim, as ",7,8,"
--   room         how many rows of these the claim may have pushed
CREATE TABLE lanes (
    id          integer PRIMARY KEY AUTOINCREMENT,
    tenant      text   NOT NULL,
    kind        text   NOT NULL,
    pushed      bigint NOT NULL DEFAULT 0,
    claim       bigint NOT NULL DEFAULT 0,
    claim_until bigint NOT NULL DEFAULT 0,
    claimed     text   NOT NULL DEFAULT '',
    room        bigint NOT NULL DEFAULT 0,
    UNIQUE (tenant, kind)
);

-- The place of a task among the others of its lane.
--   lane     0: the feeder gives it one
--   rank     the least is fed first
--   due_at   unix ms; 0: it may be fed; the greatest number: it is held, paused or canceling
--   reading  rows will come, and later tasks of the lane wait for them
-- A cancel_from of -2 is a task that is being canceled and whose feed is to be stopped.
ALTER TABLE feeds ADD COLUMN lane    bigint  NOT NULL DEFAULT 0;
ALTER TABLE feeds ADD COLUMN rank    bigint  NOT NULL DEFAULT 0;
ALTER TABLE feeds ADD COLUMN due_at  bigint  NOT NULL DEFAULT 0;
ALTER TABLE feeds ADD COLUMN reading boolean NOT NULL DEFAULT FALSE;

INSERT INTO lanes (tenant, kind)
SELECT DISTINCT t.tenant, t.kind FROM feeds f JOIN tasks t ON t.num = f.task_num
ORDER BY t.tenant, t.kind;

UPDATE feeds AS f
SET lane = n.id, rank = -t.priority,
    due_at = CASE WHEN t.hold <> '' OR t.status NOT IN ('open', 'splitting', 'running')
                  THEN 9223372036854775807 ELSE t.run_at END,
    reading = NOT t.total_is_final
              AND (t.file_id <> '' OR t.type = 'export' OR t.status IN ('splitting', 'running')),
    cancel_from = CASE WHEN t.status = 'canceling' AND f.cancel_from = -1 THEN -2 ELSE f.cancel_from END
FROM tasks t, lanes n
WHERE t.num = f.task_num AND n.tenant = t.tenant AND n.kind = t.kind;

CREATE INDEX feeds_next_idx ON feeds (lane, rank, task_num)
    WHERE due_at = 0 AND (unfed > 0 OR back > 0 OR reading);
CREATE INDEX feeds_again_idx ON feeds (lane, rank, task_num) WHERE again_from < again_to;
-- Tasks that may have rows in Redis.
CREATE INDEX feeds_out_idx ON feeds (lane, task_num) WHERE fed > 0 OR claim_until > 0;
CREATE INDEX feeds_due_idx ON feeds (due_at) WHERE due_at > 0;
CREATE INDEX feeds_cancel_idx ON feeds (task_num) WHERE cancel_from <> -1;
