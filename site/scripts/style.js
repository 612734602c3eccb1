// Stylesheets that come with a part of the page which is loaded on use.

const loading = new Map();

/**
 * Adds a stylesheet once.
 * @param {string} address
 * @returns {Promise<void>} done when it applies; also when it could not be loaded, for everything works without
 */
export function style(address) {
  if (!loading.has(address)) {
    loading.set(address, new Promise((done) => {
      if (document.querySelector(`link[href="${address}"]`)) return done();
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = address;
      link.onload = link.onerror = () => done();
      document.head.append(link);
    }));
  }
  return loading.get(address);
}
