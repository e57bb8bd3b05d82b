/**
 * The only script of the page: it filters the table of contents, opens the call that a link leads
 * to, and copies code. The page is complete without it.
 */
export const PAGE_SCRIPT: string = `(() => {
  const find = document.getElementById('find');
  const box = find.querySelector('input');
  const count = find.querySelector('output');
  const leaves = [...document.querySelectorAll('nav [data-find]')];
  const groups = [...document.querySelectorAll('nav details')];
  const narrow = () => {
    const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const found = leaves.filter((leaf) => {
      leaf.hidden = !words.every((word) => leaf.dataset.find.includes(word));
      return !leaf.hidden;
    }).length;
    for (const group of groups) {
      const inside = group.querySelectorAll('[data-find]:not([hidden])').length;
      const item = group.closest('li');
      if (words.length > 0 && inside > 0) item.hidden = false;
      group.open = words.length > 0 && inside > 0;
    }
    count.textContent = words.length === 0 ? '' : found === 0 ? 'Nothing found' : found + ' found';
  };
  box.addEventListener('input', narrow);
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') { box.value = ''; narrow(); }
    if (event.key !== 'Enter' || box.value.trim() === '') return;
    const first = leaves.filter((leaf) => !leaf.hidden).sort((a, b) => Number(a.matches('.part')) - Number(b.matches('.part')))[0];
    if (first) location.hash = first.querySelector('a').hash;
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.matches('input')) return;
    event.preventDefault();
    box.focus();
  });
  find.hidden = false;
  const openTarget = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.matches('details')) target.open = true;
  };
  addEventListener('hashchange', openTarget);
  openTarget();
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('pre').textContent);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    });
    block.querySelector('figcaption').append(button);
  }
})();`
