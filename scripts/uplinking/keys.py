"""Keys and certificates of a test, made by openssl: an authority, the broker's, and a device's own."""
import os, subprocess


class Authority:
    def __init__(self, folder, name="authority"):
        self.folder, self.name = folder, name
        os.makedirs(folder, exist_ok=True)
        self.openssl("req", "-x509", *self.new(name), "-days", "3", "-subj", f"/CN={name}", "-out", self.path(name, "pem"))

    @property
    def certificate(self):
        return self.path(self.name, "pem")

    def path(self, name, kind):
        return f"{self.folder}/{name}.{kind}"

    def new(self, name):
        return ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", self.path(name, "key"))

    def openssl(self, *words):
        subprocess.run(["openssl", *words], check=True, capture_output=True)

    def sign(self, name, host=None, days=3):
        """The paths of a certificate for a host, and of its key; with days below 0 it has expired."""
        with open(self.path(name, "ext"), "w") as file:
            file.write(f"subjectAltName=DNS:{host or name}\n")
        self.openssl("req", *self.new(name), "-subj", f"/CN={name}", "-out", self.path(name, "csr"))
        self.openssl("x509", "-req", "-in", self.path(name, "csr"), "-CA", self.certificate, "-CAkey", self.path(self.name, "key"),
                     "-CAcreateserial", "-days", str(days), "-extfile", self.path(name, "ext"), "-out", self.path(name, "pem"))
        return self.path(name, "pem"), self.path(name, "key")
