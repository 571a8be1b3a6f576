import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { contextFieldRoutes } from '../../entities/context-fields/context-field-routes.ts';
import { segmentsQuery } from '../../entities/strategies/strategy-queries.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { ContextFieldForm, ContextFieldTable } from '../context-fields/index.ts';
import { SegmentForm, SegmentTable } from '../segments/index.ts';
import { useSettingsProject } from './settings-layout.tsx';

/** The segments of a project. */
export function SegmentSettings() {
  const projectId = useSettingsProject();
  const segments = useQuery(segmentsQuery);
  const [making, setMaking] = useState(false);
  return (
    <SectionCard
      title="Segments"
      description="Segments that only flags of this project can use. Segments of all projects are in the Configure menu."
      actions={
        <NewButton
          needs={['CREATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT']}
          place={{ project: projectId }}
          onClick={() => setMaking(true)}
        >
          New segment
        </NewButton>
      }
    >
      <Loaded query={segments}>
        {(list) => (
          <SegmentTable segments={list.filter(({ project }) => project === projectId)} projectId={projectId} />
        )}
      </Loaded>
      {making && <SegmentForm projectId={projectId} onClose={() => setMaking(false)} />}
    </SectionCard>
  );
}

/** The context fields of a project. */
export function ContextFieldSettings() {
  const projectId = useSettingsProject();
  const routes = contextFieldRoutes(projectId);
  const fields = useQuery(routes.list());
  const [making, setMaking] = useState(false);
  return (
    <SectionCard
      title="Context fields"
      description="Context fields that only this project can use. Context fields of all projects are in the Configure menu."
      actions={
        <NewButton needs={routes.needs.create} place={routes.place} onClick={() => setMaking(true)}>
          New context field
        </NewButton>
      }
    >
      <Loaded query={fields}>{(list) => <ContextFieldTable fields={list} routes={routes} />}</Loaded>
      {making && (
        <ContextFieldForm
          routes={routes}
          taken={fields.data?.map(({ name }) => name) ?? []}
          onClose={() => setMaking(false)}
        />
      )}
    </SectionCard>
  );
}
