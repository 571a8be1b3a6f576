import { Box, Button, List, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { shortNumber } from '../../../entities/safeguards/safeguard-words.ts';
import { TextLink } from '../../../ui/link.tsx';
import { Muted, Strong } from '../../../ui/text.tsx';
import type { ExposedStretch } from './course.ts';
import type { Watched } from './course-chart.tsx';
import { describeStop, describeTime, extentIn } from './course-words.ts';

/** The number of stops (times when the plan was halted, paused or off) that are listed at first. */
const listed = 5;

interface Props {
  /** The stretches of the course, in order and without gaps. */
  readonly course: readonly ExposedStretch[];
}

/** Lists when and why a plan was halted, paused or off, newest first. */
export function Stops({ course }: Props) {
  const [isWhole, setIsWhole] = useState(false);
  const end = course.at(-1)?.to ?? 0;
  const stops = course.filter(({ course: kind }) => kind !== 'running').toReversed();
  if (stops.length === 0) return <Muted>The plan was not halted or paused in this time.</Muted>;
  return (
    <>
      <Strong>
        <Box component="span" display="inline-block" w={12} h={12} mr={6} bg="orange.5" opacity={0.5} aria-hidden />
        Halted, paused or off
      </Strong>
      <List size="sm" spacing={4} style={{ overflowWrap: 'anywhere' }}>
        {(isWhole ? stops : stops.slice(0, listed)).map((stretch) => (
          <List.Item key={stretch.from}>
            {describeTime(stretch, end)} at {stretch.milestone}: {describeStop(stretch)}
            {stretch.signalIds.map((id) => (
              <span key={id}>
                {' '}
                <TextLink to="/history" search={{ received: id }} size="sm" underline="always">
                  Signal {id}
                </TextLink>
              </span>
            ))}
          </List.Item>
        ))}
      </List>
      {!isWhole && stops.length > listed && (
        <Button variant="subtle" size="compact-xs" style={{ alignSelf: 'flex-start' }} onClick={() => setIsWhole(true)}>
          Show all {stops.length}
        </Button>
      )}
    </>
  );
}

interface TableProps extends Props {
  readonly metric: Watched | undefined;
}

/** The facts of the charts as a table, for screen readers. */
export function CourseTable({ course, metric }: TableProps) {
  const end = course.at(-1)?.to ?? 0;
  return (
    <VisuallyHidden component="div">
      <table>
        <caption>Course of the plan</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Milestone</th>
            <th scope="col">Exposure</th>
            <th scope="col">State</th>
            {metric !== undefined && <th scope="col">{metric.name}</th>}
          </tr>
        </thead>
        <tbody>
          {course.map((stretch) => (
            <tr key={stretch.from}>
              <th scope="row">{describeTime(stretch, end)}</th>
              <td>{stretch.milestone}</td>
              <td>{stretch.exposure} %</td>
              <td>{describeStop(stretch) ?? 'Goes on'}</td>
              {metric !== undefined && <td>{extentText(extentIn(metric.curve, stretch))}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  );
}

function extentText(extent: readonly [number, number] | undefined): string {
  if (extent === undefined) return 'No data';
  const [lowest, highest] = extent.map(shortNumber);
  return lowest === highest ? `${lowest}` : `${lowest} to ${highest}`;
}
