// Export: the run in every format there is, and as a link.

import { byId } from './dom.js';
import { menuButton } from './menu.js';

function save({ file, media_type: mediaType, content }) {
  const address = URL.createObjectURL(new Blob([content], { type: mediaType }));
  const link = document.createElement('a');
  link.href = address;
  link.download = file;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

async function copyLink(session) {
  const address = String(new URL(session.link(), location.href));
  try {
    await navigator.clipboard.writeText(address);
    session.say('The link is copied. It opens this run again, for those who may see this server.');
  } catch {
    const field = document.createElement('textarea');
    field.value = address;
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    session.say(isCopied ? 'The link is copied.' : 'The address in the browser is the link to this run.');
  }
}

async function exportAs(session, format) {
  try {
    const { run, property, loop } = session;
    save(await session.ask('export', { run, format: format.name, property: property ?? undefined, loop: loop ?? undefined }));
    session.say(`The run is saved as ${format.name}.`);
  } catch (error) {
    session.sayError(error);
  }
}

/** The menu behind the button. */
export function exportMenu(session, formats) {
  menuButton(byId('export'), () => [
    { label: 'Copy link', about: 'Opens this run again', test: 'copy-link', run: () => copyLink(session) },
    ...formats.map((format) => ({ label: `${format.name} (.${format.extension})`, about: format.about, test: `export-${format.name}`, run: () => exportAs(session, format) })),
  ]);
}
