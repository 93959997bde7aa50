module.exports = function sharp() {
  throw new Error('Images are not supported: this package stands in for sharp.');
};
