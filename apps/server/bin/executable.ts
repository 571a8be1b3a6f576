// The entry of the single executable, which is bundled as CommonJS and so without top-level await. main never rejects.
import { main } from '../src/main.ts';

void main(process.argv);
