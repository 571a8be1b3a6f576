import { Alert, Card, Grid, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { SaveButtons } from '../../entities/change-requests/save-buttons.tsx';
import { describeStrategy } from '../../entities/strategies/describe-strategy.ts';
import { useMay } from '../../lib/me.ts';
import { useFocusFirstErrorIn } from '../../ui/focus-first-error.ts';
import { useLeaveGuard } from '../../ui/leave-guard.tsx';
import { distributeWeights, VariantShares } from '../variants/index.ts';
import { type StrategyDraft, strategyBodyOf } from './draft.ts';
import { StrategyForm, type StrategyKnowledge } from './strategy-form.tsx';
import { type SavedStrategy, useSaveStrategy } from './use-save-strategy.ts';

interface Props extends SavedStrategy {
  readonly initial: StrategyDraft;
  readonly known: StrategyKnowledge;
}

/** Creates or edits a strategy. Input is kept on errors, and leaving without saving asks for confirmation. */
export function StrategyEditor(props: Props) {
  const { projectId, environment, featureName, strategyId, change, known } = props;
  const may = useMay();
  const permission = strategyId === undefined ? 'CREATE_FEATURE_STRATEGY' : 'UPDATE_FEATURE_STRATEGY';
  // The draft when the form opened: the page makes a new one whenever data of the flag arrives.
  const [initial] = useState(props.initial);
  const [draft, setDraft] = useState(initial);
  const { problems, formError, reasonField, pending, save } = useSaveStrategy(initial, props);
  const form = useFocusFirstErrorIn<HTMLDivElement>(problems);
  const { saved, dialog } = useLeaveGuard(draft !== initial);
  return (
    <Grid gap="lg" ref={form}>
      <Grid.Col span={{ base: 12, lg: 8.5 }}>
        <StrategyForm
          draft={draft}
          isNew={strategyId === undefined}
          known={known}
          problems={problems}
          onChange={setDraft}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 3.5 }}>
        <Stack pos="sticky" top={80}>
          <InWords draft={draft} known={known} />
          {formError !== undefined && (
            <Alert color="red" role="alert" title="Saving failed">
              {formError}
            </Alert>
          )}
          <SaveButtons
            place={{ projectId, environment }}
            featureName={featureName}
            edited={change}
            label={strategyId === undefined ? 'Add strategy' : 'Save strategy'}
            permitted={may(permission, { project: projectId, environment })}
            saving={pending}
            reasonField={reasonField}
            onSave={(directly) => save(draft, directly, saved)}
          />
        </Stack>
      </Grid.Col>
      {dialog}
    </Grid>
  );
}

function InWords({ draft, known }: { readonly draft: StrategyDraft; readonly known: StrategyKnowledge }) {
  const definition = known.definitions.find(({ name }) => name === draft.name);
  const parameters = strategyBodyOf(draft, definition).parameters as Readonly<Record<string, string>>;
  const segments = draft.segments.map((id) => known.segments.find((segment) => segment.id === id)?.name ?? `#${id}`);
  return (
    <Card withBorder padding="md" component="section" aria-label="Who gets the flag">
      <Stack gap="xs">
        <Title order={2} size="h5">
          Who gets the flag
        </Title>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} aria-live="polite">
          {draft.disabled ? 'Disabled. When enabled: ' : ''}
          {describeStrategy({ ...draft, parameters, segments })}.
        </Text>
        {draft.variants.length > 0 && <VariantShares variants={distributeWeights(draft.variants)} />}
      </Stack>
    </Card>
  );
}
