import { useMay } from '../../lib/me.ts';
import { RunLink } from './run-link.tsx';

interface Props {
  readonly id: number;
  readonly project: string;
  /** Null when the set is deleted, and while its name is not loaded. */
  readonly actionSetName: string | null;
}

/** Names the run that holds a flag: "Protect the checkout, run 12", with a link for users who may read actions. */
export function HoldingRun({ id, project, actionSetName }: Props) {
  const may = useMay();
  const run = may('READ_ACTIONS', { project }) ? <RunLink id={id}>run {id}</RunLink> : `run ${id}`;
  return (
    <>
      {actionSetName !== null && `${actionSetName}, `}
      {run}
    </>
  );
}
