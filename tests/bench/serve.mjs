// An HTTP server for the benchmark's pages, which also receives their results.
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

/** Parses the JSON body of a request. */
async function bodyOf(request) {
  let body = '';
  request.setEncoding('utf8');
  for await (const chunk of request) body += chunk;
  return JSON.parse(body);
}

/**
 * Serves the files below `root`. Pages need `isolated` to share memory. A POST from a page calls
 * `hear` with its body; the response is the result of `hear`, whenever that resolves.
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
