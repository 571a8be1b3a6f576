import { useForm } from '@mantine/form';
import { useQueries } from '@tanstack/react-query';
import { selectableFields } from '../../entities/context-fields/context-field-routes.ts';
import { definitionsQuery, segmentsQuery } from '../../entities/strategies/strategy-queries.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { FormError } from '../../ui/form-error.tsx';
import {
  newStrategy,
  type StrategyDraft,
  StrategyForm,
  strategyBodyOf,
  strategyDraftOf,
  strategyProblems,
} from '../strategies/index.ts';
import type { ProjectOverview } from './project-overview.ts';

interface Props {
  readonly projectId: string;
  readonly environment: string;
  readonly strategy: ProjectOverview['environments'][number]['defaultStrategy'];
  readonly onClose: () => void;
}

const draftOf = (strategy: Props['strategy']): StrategyDraft =>
  strategy === undefined ? newStrategy('flexibleRollout', '', 'default') : strategyDraftOf(strategy);

/** Edits the default strategy, which flags without strategies get when they are switched on. */
export function DefaultStrategyForm({ projectId, environment, strategy, onClose }: Props) {
  const [definitions, segments, fields] = useQueries({
    queries: [definitionsQuery, segmentsQuery, selectableFields(projectId)],
  });
  const definitionOf = (name: string) => definitions.data?.find((definition) => definition.name === name);
  const bodyOf = (draft: StrategyDraft) => {
    const { disabled: _inUse, ...body } = strategyBodyOf(draft, definitionOf(draft.name));
    return body;
  };
  const form = useForm({
    initialValues: { draft: draftOf(strategy) },
    validate: ({ draft }) => ({
      ...strategyProblems(draft, definitionOf(draft.name)),
      ...(draft.disabled ? { draft: 'The default strategy must be enabled.' } : {}),
    }),
  });
  const { draft } = form.values;
  const saving = useSaving(form, {
    save: async ({ draft: chosen }) => {
      const { environments } = await api('GET /api/admin/projects/:projectId/overview', { params: { projectId } });
      const now = environments.find((other) => other.environment === environment)?.defaultStrategy;
      const [loaded, current] = [bodyOf(form.getInitialValues().draft), bodyOf(draftOf(now))];
      const body = { ...current, ...editedFields({ loaded, edited: bodyOf(chosen), current }) };
      return api('POST /api/admin/projects/:projectId/environments/:environment/default-strategy', {
        params: { projectId, environment },
        body,
      });
    },
    changes: ['GET /api/admin/projects/:projectId/overview'],
    notice: `Default strategy of ${environment} saved`,
    onSaved: onClose,
  });
  if (definitions.data === undefined || segments.data === undefined || fields.data === undefined) return null;
  return (
    <FormDrawer
      title={`Default strategy in ${environment}`}
      save="Save default strategy"
      saving={saving}
      onClose={onClose}
      width={860}
    >
      <FormError>{typeof form.errors.draft === 'string' ? form.errors.draft : undefined}</FormError>
      <StrategyForm
        draft={draft}
        isNew
        known={{ definitions: definitions.data, segments: segments.data, fields: fields.data }}
        problems={form.errors as Readonly<Record<string, string>>}
        onChange={(next) => form.setFieldValue('draft', next)}
      />
    </FormDrawer>
  );
}
