/** npm runs this before any install script, so that it is the first line of an installation that may compile. */
if (Number(process.versions.napi) < 10) {
  console.log(
    `Node ${process.versions.node}: npm now downloads SQLite from github.com. If it cannot, it compiles SQLite in two to five minutes, which needs Python 3, make and a C++ compiler. Node 22.14 or newer needs neither.`,
  );
}
