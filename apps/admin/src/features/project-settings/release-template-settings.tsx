import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { templatesQuery } from '../../entities/release-plans/plan-queries.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { needsOf, TemplateTable } from '../release-templates/index.ts';
import { useSettingsProject } from './settings-layout.tsx';

/** The release templates of a project. */
export function ReleaseTemplateSettings() {
  const projectId = useSettingsProject();
  const navigate = useNavigate();
  const templates = useQuery(templatesQuery);
  return (
    <SectionCard
      title="Release templates"
      description="Release templates that only flags of this project can use. Those of all projects are in the Configure menu."
      actions={
        <NewButton
          {...needsOf('RELEASE_PLAN_TEMPLATE_CREATE', projectId)}
          onClick={() => void navigate({ to: '/release-templates/create-template', search: { project: projectId } })}
        >
          New release template
        </NewButton>
      }
    >
      <TemplateTable query={templates} rows={templates.data?.filter(({ project }) => project === projectId)} />
    </SectionCard>
  );
}
