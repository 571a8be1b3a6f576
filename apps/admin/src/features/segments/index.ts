export { SegmentForm } from './segment-form.tsx';
export { SegmentTable } from './segment-table.tsx';
