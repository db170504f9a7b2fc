/** The small process of small-spawns.mjs: starts requested programs one at a time, until the requester has gone. */
import fs from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { native, receive, send } from './small-spawns.mjs';

const [to, from] = process.argv.slice(2);
const asked = fs.openSync(to, 'r');
const told = fs.openSync(from, 'w');
fs.writeSync(told, '.');
for (let request = receive(asked); request !== null; request = receive(asked)) {
  const { umask, ...options } = deserialize(request);
  process.umask(umask);
  send(told, serialize(native().spawn(options)));
}
