/** A static server with nothing but the type of a file in its headers. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** Serves `folder`, also below `/site/`, and the pages that are put beside it. */
export async function serveFolder(folder) {
  const pages = new Map();
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname.replace(/^\/site\//, '/');
    const page = pages.get(path);
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (page === undefined && (!existsSync(file) || !statSync(file).isFile())) {
      response.statusCode = 404;
      response.end();
      return;
    }
    const type = TYPES[page === undefined ? extname(file) : '.html'];
    response.setHeader('Content-Type', type ?? 'application/octet-stream');
    response.end(page ?? readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `${origin}/`, origin, put: (path, page) => pages.set(path, page), close };
}
