import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from './audit.ts';
import { Scene } from './scene.ts';
import { sqliteStorage, storageIn } from './storage.ts';

// Each of these breaks one promise in a storage that keeps them all, to show that the audit reports the breach.

const breaches: readonly { name: string; sql: string; found: RegExp }[] = [
  { name: 'a lost signal', sql: 'delete from signals where id = (select max(id) from signals)', found: /is missing/ },
  {
    name: 'a gap in the signals',
    sql: 'update signals set id = id + 1 where id = (select max(id) from signals)',
    found: /gap/,
  },
  {
    name: 'a signal that is there twice',
    sql: "insert into signals select id + 1, endpoint_id, token_id, created_at, payload, normalized from signals order by id desc limit 1; update counters set value = value + 1 where name = 'signal'",
    found: /again/,
  },
  {
    name: 'a signal that was changed',
    sql: `update signals set payload = json_set(payload, '$.filler', 'other') where id = 1`,
    found: /not what was sent/,
  },
  {
    name: 'a signal that was not sent',
    sql: `update signals set payload = '{"marker":"x"}' where id = 1`,
    found: /never sent/,
  },
  {
    name: 'time that goes back',
    sql: 'update signals set created_at = created_at - 100000 where id = 5',
    found: /older/,
  },
  {
    name: 'a counter that runs ahead',
    sql: "update counters set value = value + 1 where name = 'event'",
    found: /counter/,
  },
  {
    name: 'a forgotten delivery',
    sql: 'delete from signal_deliveries where rowid = (select min(rowid) from signal_deliveries)',
    found: /leads to nothing/,
  },
  {
    name: 'a delivery that leads to another signal',
    sql: 'update signal_deliveries set signal_id = signal_id + 1',
    found: /another signal/,
  },
  {
    name: 'a change without its event',
    sql: "update events set request_id = null where id = (select min(id) from events where type = 'signal-endpoint-created')",
    found: /left no event/,
  },
  {
    name: 'an event of another type',
    sql: "update events set type = 'project-created' where id = (select min(id) from events where type = 'signal-endpoint-created')",
    found: /left .*project-created/,
  },
  {
    name: 'an event without a request',
    sql: "insert into events (id, type, created_at, created_by, tags, request_id) select max(id) + 1, 'feature-created', max(created_at), 'x', '[]', 'unknown' from events",
    found: /no request asked/,
  },
  {
    name: 'a row that its events do not explain',
    sql: 'update signal_endpoints set enabled = 1 - enabled where id = 1',
    found: /its events say/,
  },
  { name: 'a wrong total', sql: "insert into event_totals values ('project', 'wrong', 1)", found: /totals differ/ },
  {
    name: 'a half-written job',
    sql: "insert into jobs (kind, payload, run_at, attempts) values ('x', '{', 0, 0)",
    found: /half-written/,
  },
  { name: 'an event that search does not know', sql: 'delete from events_text where rowid = 1', found: /text index/ },
];

describe('the audit', () => {
  const storage = sqliteStorage();
  let scene: Scene | undefined;
  beforeAll(async () => {
    scene = await Scene.begin(storage);
    scene.startLoad();
    await scene.accepts(30, 10);
    await scene.finish();
  });
  afterAll(async () => {
    await scene?.end();
    storage.remove();
  });

  it.each(breaches)('finds $name', async ({ sql, found }) => {
    const copy = mkdtempSync(join(tmpdir(), 'breach-'));
    try {
      cpSync(storage.settings.YARDARM_DATA_DIR ?? '', copy, { recursive: true });
      const database = new DatabaseSync(join(copy, 'yardarm.db'));
      database.exec(sql);
      database.close();
      const ledger = scene?.ledger;
      expect(ledger).toBeDefined();
      if (ledger !== undefined) expect((await audit(storageIn(copy), ledger)).broken.join('\n')).toMatch(found);
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
});
