/** The worker's script: the engine lives here, away from the thread that draws the page. */
import { serve } from './serve.ts';
import type { Wire } from './protocol.ts';

serve(self as unknown as Wire);
