// A graph of classes as one file that works from disk.

import { byId } from './dom.js';
import { GraphView } from './graphview.js';
import { themeButton } from './theme.js';

function begin() {
  const data = JSON.parse(byId('data').textContent);
  const view = new GraphView(byId('graph-tools'), byId('graph-body'), () => []);
  themeButton(byId('theme'), () => view.recolour());
  view.show(data, true);
  document.body.dataset.ready = 'true';
}

begin();
