// What other sites load.
console.log("embedded");
