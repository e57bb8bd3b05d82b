import { createServer } from 'node:http'

/** The least a server of Node does: reads the request, sends fixed bytes of the size that is asked
 * for. */
const [port = '0', size = '2'] = process.argv.slice(2)
const body = Buffer.alloc(Number(size), 'x')

createServer((request, response) => {
  request.on('data', () => {})
  request.on('end', () => {
    response.writeHead(200, {
      'Content-Type': 'application/x-amz-json-1.0',
      'Content-Length': body.length,
    })
    response.end(body)
  })
}).listen(Number(port), '127.0.0.1')
