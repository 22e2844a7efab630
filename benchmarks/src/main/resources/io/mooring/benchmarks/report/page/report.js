'use strict';
// A click on a heading sorts its table; a second click turns the order. Cells without a figure stay last.
const figure = (text) => parseFloat(text.replace(/^[<>]=?\s*/, ''));
const words = new Intl.Collator('en', { numeric: true });

function sort(table, column, sign) {
  const text = (row) => row.cells[column].textContent;
  const isMissing = (row) => text(row) === '-' || text(row) === '';
  const rows = [...table.tBodies[0].rows];
  const figures = rows.every((row) => isMissing(row) || /^[<>]?=?\s*[-+]?[\d.]/.test(text(row)));
  const order = (a, b) =>
    figures ? figure(text(a)) - figure(text(b)) : words.compare(text(a), text(b));
  rows.sort((a, b) => isMissing(a) - isMissing(b) || (isMissing(a) ? 0 : sign * order(a, b)));
  table.tBodies[0].append(...rows);
}

for (const table of document.querySelectorAll('table')) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    heading.firstElementChild.addEventListener('click', () => {
      const descending = heading.ariaSort === 'ascending';
      headings.forEach((other) => other.removeAttribute('aria-sort'));
      heading.ariaSort = descending ? 'descending' : 'ascending';
      sort(table, column, descending ? -1 : 1);
    });
  });
}
