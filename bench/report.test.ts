import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { circumstances } from './circumstances.ts';
import { interleave, median } from './interleave.ts';
import { formatFailure, formatTable, writeReport } from './report.ts';
import { toRow } from './row.ts';

const finding = { name: 'signals', value: 800, unit: '/s' };

describe('row', () => {
  it.each([
    [{ of: 'value', atLeast: 800 } as const, true],
    [{ of: 'value', atLeast: 801 } as const, false],
    [{ of: 'value', atMost: 800 } as const, true],
    [{ of: 'value', atMost: 799 } as const, false],
    [{ of: 'ratio', atLeast: 0.8 } as const, true],
    [{ of: 'ratio', atLeast: 0.81 } as const, false],
  ])('that must reach %j is judged %s', (must, ok) => {
    expect(toRow({ ...finding, floor: { name: 'bare', value: 1000 }, must }, 'sqlite')).toMatchObject({
      ok,
      ratio: 0.8,
    });
  });

  it('has no verdict without a target', () => {
    expect(toRow(finding, undefined)).toEqual({ ...finding, engine: '-', ok: null });
  });

  it('is judged by its own ratio, not by the quotient of the medians', () => {
    const floor = { name: 'bare', value: 1000 };
    expect(toRow({ ...finding, floor, ratio: 0.9, must: { of: 'ratio', atLeast: 0.85 } }, 'sqlite').ok).toBe(true);
  });

  it.each([Number.NaN, undefined])('with a ratio of %s does not pass', (ratio) => {
    const bad = { ...finding, ...(ratio === undefined ? {} : { ratio }), must: { of: 'ratio', atLeast: 0.8 } } as const;
    if (ratio === undefined) expect(() => toRow(bad, 'sqlite')).toThrow('has no floor');
    else expect(toRow(bad, 'sqlite').ok).toBe(false);
  });
});

describe('interleave', () => {
  it('measures in turns, floor first, and returns the median of the ratios', async () => {
    const order: string[] = [];
    const floors = [100, 10, 50];
    const values = [50, 9, 10];
    const measure = (name: string, results: number[]) => async () => {
      order.push(name);
      return results.shift() ?? 0;
    };
    const compared = await interleave(3, measure('floor', floors), measure('value', values));
    expect(order.join(' ')).toBe('floor value floor value floor value');
    expect(compared).toMatchObject({ value: 10, floor: 50, ratio: 0.5, range: [0.2, 0.9] });
    expect(compared.rounds.map((round) => round.ratio)).toEqual([0.5, 0.9, 0.2]);
  });

  it('refuses a floor of zero and zero rounds', async () => {
    await expect(
      interleave(
        1,
        async () => 0,
        async () => 1,
      ),
    ).rejects.toThrow('nothing can be compared with');
    await expect(
      interleave(
        0,
        async () => 1,
        async () => 1,
      ),
    ).rejects.toThrow(RangeError);
  });

  it('takes a median with as many values below as above', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
        const middle = median(values);
        const below = values.filter((value) => value < middle).length;
        expect(below).toBeLessThanOrEqual(values.length / 2);
        expect(values.filter((value) => value > middle).length).toBeLessThanOrEqual(values.length / 2);
      }),
    );
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(() => median([])).toThrow(RangeError);
  });
});

describe('report', () => {
  it('shows each row with its floor, ratio and verdict in columns', () => {
    const signals = {
      ...finding,
      value: 26_700,
      floor: { name: 'bare', value: 30_000 },
      range: [0.812, 0.9049],
      must: { of: 'ratio', atLeast: 0.8 },
    } as const;
    const rows = [
      { ...toRow(signals, 'sqlite'), stolen: 0.424 },
      toRow({ name: 'p99 under half load', value: 17.25, unit: 'ms', must: { of: 'value', atMost: 15 } }, 'postgres'),
      toRow({ name: 'timer', value: 0.0712, unit: 'ms' }, undefined),
    ];
    expect(formatTable(rows)).toBe(
      [
        'what                 engine        value  floor        ratio  from … to      stolen  must',
        'signals              sqlite    26,700 /s  30,000 bare   0.89  0.812 … 0.905  42 %    × ≥ 0.8  ok',
        'p99 under half load  postgres    17.3 ms                                             ≤ 15     MISSED',
        'timer                -         0.0712 ms',
      ].join('\n'),
    );
  });

  it('has a line of each failure', () => {
    expect(formatFailure({ scenario: 'soak', engine: 'sqlite', message: 'no disk' })).toBe(
      'FAILED soak on sqlite: no disk',
    );
    expect(formatFailure({ scenario: 'disk', engine: '-', message: 'no disk' })).toBe('FAILED disk: no disk');
  });

  it('is written with machine, commit, options and rows', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'yardarm-bench-'));
    try {
      const where = await circumstances(new Date('2026-01-02T03:04:05Z'));
      const rows = [toRow(finding, 'sqlite')];
      const path = await writeReport(
        { ...where, options: { rounds: 5 }, rows, failures: [] },
        join(directory, 'deep', 'r.json'),
      );
      const written = JSON.parse(await readFile(path, 'utf8'));
      expect(written).toMatchObject({ date: '2026-01-02T03:04:05.000Z', options: { rounds: 5 }, rows });
      expect(written.commit).toMatch(/^([0-9a-f]{10}|unknown)$/);
      expect(written.machine).toMatchObject({
        node: process.version,
        cores: expect.any(Number),
        cpu: expect.any(String),
      });
      expect(written).toHaveProperty('dirty');
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
