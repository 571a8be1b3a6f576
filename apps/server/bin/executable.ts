// The entry point of the single executable. The bundle is CommonJS, which has no top-level await. main never rejects.
import { main } from '../src/main.ts';

void main(process.argv);
