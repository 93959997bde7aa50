/** npm runs this before any install script, so that it is the first line of an installation that may compile. */
if (Number(process.versions.napi) < 10) {
  console.log(
    `Node ${process.versions.node}: SQLite is downloaded or, without access to github.com, compiled in up to five minutes. Compiling needs Python 3, make and a C++ compiler; its warnings are harmless. Node 22.14 or newer needs none of this.`,
  );
}
