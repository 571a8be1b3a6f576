import { Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import type { Plan } from '../release-plans/plan-queries.ts';
import type { StrategyDraft } from '../strategies/draft.ts';
import { entryOf, templateBodyOf, templateDraftOf } from './template-draft.ts';
import { changedByTemplates } from './template-queries.ts';
import { type TimeDraft, withoutEnvironment } from './time-draft.ts';

/** A button that creates a release template with the milestones of a plan. */
export function SaveAsTemplate({ plan }: { readonly plan: Plan }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Permitted needs="RELEASE_PLAN_TEMPLATE_CREATE">
        <Button variant="subtle" size="xs" onClick={() => setIsOpen(true)}>
          Save as template
        </Button>
      </Permitted>
      {isOpen && <SaveDialog plan={plan} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function SaveDialog({ plan, onClose }: { readonly plan: Plan; readonly onClose: () => void }) {
  const form = useForm({
    initialValues: { name: plan.name },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
  });
  const saving = useSaving(form, {
    save: ({ name }) => api('POST /api/admin/release-plan-templates', { body: bodyOf(plan, name) }),
    changes: changedByTemplates,
    notice: 'Release template created',
    onSaved: onClose,
  });
  return (
    <FormDialog title="Save as release template" save="Save as template" saving={saving} onClose={onClose}>
      <Text size="sm">The milestones, their strategies and times are copied. The plan itself stays as it is.</Text>
      <TextInput label="Template name" required data-autofocus autoComplete="off" {...form.getInputProps('name')} />
    </FormDialog>
  );
}

/**
 * Returns a template with the milestones of a plan. Leaves out what belongs to this plan only: ids, groups with the
 * name of its flag, and the environment in the queries of metrics.
 */
function bodyOf(plan: Plan, name: string) {
  const draft = templateDraftOf({ ...plan, name });
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
