// The repository as a site: what the benchmark's pages are given out from, and whom they tell.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.mjs': 'text/javascript',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};

/** The body of a request, which is JSON. */
async function bodyOf(request) {
  let body = '';
  request.setEncoding('utf8');
  for await (const chunk of request) body += chunk;
  return JSON.parse(body);
}

/**
 * Gives out the files below `root`, `isolated` unless told otherwise: only then can pages share
 * memory. What a page posts is handed to `hear`, and what that answers goes back, whenever it does.
 */
export async function serve(root, { hear, isolated = true }) {
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      const answer = await hear(await bodyOf(request));
      response.end(answer === undefined ? '' : JSON.stringify(answer));
      return;
    }
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const file = join(root, path);
    const type = TYPES[extname(file)];
    if (type === undefined || !existsSync(file)) {
      response.statusCode = 404;
      response.end();
      return;
    }
    response.setHeader('Content-Type', type);
    if (isolated) {
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    }
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
