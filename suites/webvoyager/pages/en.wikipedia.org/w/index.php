<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <meta name="touchstone" content="facsimile">
  <title>Search results - Wikipedia</title>
  <style>
    body { margin: 0 auto; max-width: 60rem; padding: 0 1rem; font: 16px/1.5 sans-serif; }
    nav ul { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; padding: 0; list-style: none; }
    pre { padding: 0.75rem; background: #f4f4f4; overflow-x: auto; }
    .infobox, .metadata { border-collapse: collapse; border: 1px solid #aaa; }
    .infobox th, .infobox td, .metadata th, .metadata td { padding: 0.2rem 0.6rem; text-align: left; vertical-align: top; }
    .facsimile { margin-top: 3rem; padding: 0.5rem 0; border-top: 1px solid #aaa; font-size: 0.85rem; }
  </style>
</head>
<body>
  <header>
    <p><a href="/wiki/Main_Page">Wikipedia</a>, the free encyclopedia</p>
    <form action="/w/index.php" method="get" role="search">
      <label for="search">Search Wikipedia</label>
      <input id="search" name="search" type="search">
      <button type="submit">Search</button>
    </form>
  </header>
  <main id="content">
    <h1>Search results</h1>
    <p>This stand-in does not search. Whatever was asked for, these are all the articles that it has:</p>
    <ul>
      <li><a href="/wiki/Chrysler_Building">Chrysler Building</a>: skyscraper in Manhattan</li>
      <li><a href="/wiki/Eiffel_Tower">Eiffel Tower</a>: tower in Paris</li>
      <li><a href="/wiki/Gustave_Eiffel">Gustave Eiffel</a>: French civil engineer</li>
      <li><a href="/wiki/Hippolyte_Fizeau">Hippolyte Fizeau</a>: French physicist</li>
      <li><a href="/wiki/Metre">Metre</a>: unit of length</li>
      <li><a href="/wiki/Speed_of_light">Speed of light</a>: speed of electromagnetic waves in vacuum</li>
      <li><a href="/wiki/Speed_of_sound">Speed of sound</a>: how fast sound waves travel</li>
    </ul>
  </main>
  <footer class="facsimile">
    <p>Facsimile: a stand-in for https://en.wikipedia.org/w/index.php, written for Touchstone. It is not the real page.</p>
  </footer>
</body>
</html>
