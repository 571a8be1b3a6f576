import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Circumstances } from './circumstances.ts';
import type { Engine, Must, Row } from './row.ts';

/** A scenario that could not be measured. */
export interface Failure {
  readonly scenario: string;
  readonly engine: Engine | '-';
  readonly message: string;
}

/** The results of one run of the bench, as in its results file. */
export interface Report extends Circumstances {
  readonly options: Readonly<Record<string, unknown>>;
  readonly rows: readonly Row[];
  readonly failures: readonly Failure[];
}

/** Writes the report, into `bench/results/<time>-<commit>.json` unless a file is given; returns the path. */
export async function writeReport(report: Report, file?: string): Promise<string> {
  // The name has the time of day, so that a second run on one commit does not replace the first.
  const moment = report.date.slice(0, 16).replace('T', '-').replace(':', '');
  const path = file ?? join(import.meta.dirname, 'results', `${moment}-${report.commit}.json`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(report, undefined, 2)}\n`);
  return path;
}

const columns = ['what', 'engine', 'value', 'floor', 'ratio', 'from … to', 'stolen', 'must', ''] as const;

/** Returns the rows as a table for a terminal. */
export function formatTable(rows: readonly Row[]): string {
  const lines = [columns, ...rows.map(cells)];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column === 2 || column === 4 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Returns the failure as a line: a log's last lines then say what failed. */
export const formatFailure = ({ scenario, engine, message }: Failure): string =>
  `FAILED ${scenario}${engine === '-' ? '' : ` on ${engine}`}: ${message}`;

function cells(row: Row): readonly string[] {
  return [
    row.name,
    row.engine,
    `${formatNumber(row.value)} ${row.unit}`,
    row.floor === undefined ? '' : `${formatNumber(row.floor.value)} ${row.floor.name}`,
    row.ratio === undefined ? '' : formatNumber(row.ratio),
    row.range === undefined ? '' : row.range.map(formatNumber).join(' … '),
    row.stolen === undefined ? '' : `${Math.round(row.stolen * 100)} %`,
    row.must === undefined ? '' : formatMust(row.must),
    row.ok === null ? '' : row.ok ? 'ok' : 'MISSED',
  ];
}

function formatMust({ of, atLeast, atMost }: Must): string {
  const bounds = [atLeast === undefined ? [] : [`≥ ${atLeast}`], atMost === undefined ? [] : [`≤ ${atMost}`]].flat();
  return `${of === 'ratio' ? '× ' : ''}${bounds.join(', ')}`;
}

/** Formats a number with three significant digits, and from 1,000 on as a whole number. */
function formatNumber(value: number): string {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}
