import { Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Plan } from '../../entities/release-plans/plan-queries.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import type { StrategyDraft } from '../strategies/index.ts';
import { ProjectField } from './project-field.tsx';
import { entryOf, templateBodyOf, templateDraftOf } from './template-draft.ts';
import { needsOf, useProjectChoices } from './template-projects.ts';
import { changedByTemplates } from './template-queries.ts';
import { type TimeDraft, withoutEnvironment } from './time-draft.ts';

interface Props {
  readonly plan: Plan;
  /** The project of the flag. */
  readonly projectId: string;
}

/** A button that creates a release template with the milestones of a plan. */
export function SaveAsTemplate(props: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Permitted {...needsOf('RELEASE_PLAN_TEMPLATE_CREATE', props.projectId)}>
        <Button variant="subtle" size="xs" onClick={() => setIsOpen(true)}>
          Save as template
        </Button>
      </Permitted>
      {isOpen && <SaveDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function SaveDialog({ plan, projectId, onClose }: Props & { readonly onClose: () => void }) {
  const choices = useProjectChoices('RELEASE_PLAN_TEMPLATE_CREATE') ?? [];
  const mayForAll = useMay()('RELEASE_PLAN_TEMPLATE_CREATE');
  const form = useForm({
    initialValues: { name: plan.name, project: mayForAll ? '' : projectId },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
  });
  const saving = useSaving(form, {
    save: (values) => api('POST /api/admin/release-plan-templates', { body: bodyOf(plan, values) }),
    changes: changedByTemplates,
    notice: 'Release template created',
    onSaved: onClose,
  });
  return (
    <FormDialog title="Save as release template" save="Save as template" saving={saving} onClose={onClose}>
      <Text size="sm">The milestones, their strategies and times are copied. The plan itself stays as it is.</Text>
      <TextInput label="Template name" required data-autofocus autoComplete="off" {...form.getInputProps('name')} />
      <ProjectField
        choices={choices.filter(({ value }) => value === '' || value === projectId)}
        value={form.values.project}
        error={form.errors['project']}
        onChange={(project) => form.setFieldValue('project', project)}
      />
    </FormDialog>
  );
}

/**
 * Returns a template with the milestones of a plan. Leaves out what belongs to this plan only: ids, groups with the
 * name of its flag, and the environment in the queries of metrics.
 */
function bodyOf(plan: Plan, { name, project }: { readonly name: string; readonly project: string }) {
  const draft = { ...templateDraftOf({ ...plan, name, project: null }), project };
  const withoutGroup = ({ parameters, ...strategy }: StrategyDraft): StrategyDraft => ({
    ...strategy,
    parameters: parameters.groupId === plan.featureName ? { ...parameters, groupId: '' } : parameters,
  });
  const anywhere = (time: TimeDraft): TimeDraft =>
    time.source === undefined ? time : { ...time, source: withoutEnvironment(time.source, plan.environment) };
  const milestones = draft.milestones.map(({ id: _, strategies, time, ...milestone }) => ({
    ...milestone,
    time: time === null ? null : anywhere(time),
    strategies: strategies.map((entry) => entryOf(withoutGroup(entry.draft))),
  }));
  return templateBodyOf({ ...draft, milestones }, []);
}
