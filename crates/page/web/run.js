// Run: the run that leads to the state looked at, as lifelines.

import { byId } from './dom.js';
import { RunView } from './runview.js';

export class RunPane {
  constructor(session) {
    this.view = new RunView(byId('run-tools'), byId('run-body'));
    this.view.addEventListener('look', ({ detail }) => session.look(detail.at));
    session.addEventListener('run', () => {
      byId('run-body').classList.toggle('empty', session.told === null);
      if (session.told === null) return;
      this.view.show(session.told);
      this.view.setPosition(session.at);
    });
    session.addEventListener('position', () => this.view.setPosition(session.at));
    session.addEventListener('model', () => {
      byId('run').classList.toggle('frozen', session.isFrozen);
      if (session.model !== this.model) this.view.reset();
      this.model = session.model;
    });
  }
}
